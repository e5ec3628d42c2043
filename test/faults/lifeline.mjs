/** Loaded into every process of a run: it ends with the harness, however that ends, when its standard input closes. */
const end = () => process.exit(1);
process.stdin.on('end', end).on('error', end).resume().unref();
