const { TestEnvironment } = require('jest-environment-node');
const stopAtFailure = require('./stopAtFailure');

/** All is loaded again for each mutant, as it must be where a library loads what is mutated. */
module.exports = stopAtFailure(TestEnvironment);
