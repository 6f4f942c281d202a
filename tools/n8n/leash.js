// Runs a command in a process group of its own and ends the whole group when the process that
// started it is gone, even by SIGKILL: that closes the channel between the two.
// Usage: fork('leash.js', [stopSignal, command, ...args]). The message 'stop' ends the group; the name
// of a signal as a message sends this signal to it. Plain JavaScript, because it starts faster.
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
	child.kill(stopSignal); // not the group: the command stops its own children in order
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
	signalGroup('SIGKILL'); // processes that the command left running
	process.exit(code ?? 128 + constants.signals[signal]);
});
