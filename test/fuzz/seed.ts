/**
 * The seed of the generated tests in `npm test`: always the same, so that a run there fails by what was changed and by
 * nothing else. New cases are for `npm run fuzz`, whose seed is another each time. FUZZ_SEED sets it by hand.
 */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
