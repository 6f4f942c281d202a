const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/**
 * The storages used in this file. Node 20 keeps each in use until it is disabled, and copies all of them into every new
 * promise; jest makes one for each file, so promises would get slower from file to file.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
	storages.add(this);
	return run.apply(this, args);
};

/**
 * Lets test files share modules that take seconds to load, such as n8n's engine: each worker loads them once, outside
 * the context that jest makes for each file. See `sharedModules.js`.
 */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		// Spies on globals of the engine, such as Math.random, need those of its own context.
		this.global.engineRealm = globalThis;
		this.global.requireOnce = (name, variables) => {
			Object.assign(process.env, variables);
			return require(name);
		};
	}

	async teardown() {
		for (const storage of storages) storage.disable();
		storages.clear();
		await super.teardown();
	}
};
