/** Loaded into every process of a run, so that the process ends with the harness: its standard input closes then. */
const end = () => process.exit(1);
process.stdin.on('end', end).on('error', end).resume().unref();
