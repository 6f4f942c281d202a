const stopAtFailure = require('./stopAtFailure');
const Environment = require('../support/environment');

/** Large libraries are loaded once for all mutants. */
module.exports = stopAtFailure(Environment);
