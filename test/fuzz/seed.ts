/**
 * The seed of the generated tests in `npm test`: always the same, so that only a change of the code makes them fail.
 * New cases are for `npm run fuzz`, whose seed is another each time. FUZZ_SEED sets it by hand.
 */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
