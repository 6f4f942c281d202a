// Runs a command in a process group of its own and ends the whole group when the process that
// started it is gone, however it went: the channel between the two closes even after a SIGKILL.
// Usage: fork('leash.js', [stopSignal, command, ...args]); a signal's name sent as a message is
// passed to the group. Plain JavaScript, so that it starts in the time of a bare Node.
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const GRACE_MS = 10_000;
const [stopSignal, command, ...args] = process.argv.slice(2);

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });

const signalGroup = (signal) => {
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
};

const end = () => {
	child.kill(stopSignal); // it ends its own children in its own order
	setTimeout(signalGroup, GRACE_MS, 'SIGKILL').unref();
};

process.on('message', (message) => (message === 'stop' ? end() : signalGroup(message)));
process.on('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);

child.on('error', (error) => {
	console.error(`Could not start ${command}: ${error.message}`);
	process.exit(127);
});
child.on('exit', (code, signal) => {
	signalGroup('SIGKILL'); // what the command itself left behind
	process.exit(code ?? 128 + constants.signals[signal]);
});
