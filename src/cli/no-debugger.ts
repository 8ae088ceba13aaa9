// On SIGUSR1, Node opens a debugger, through which any program of the same user could run code in this process. A
// listener for the signal prevents that.
process.on('SIGUSR1', () => undefined);
