const { TestEnvironment } = require('jest-environment-node');

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
};
