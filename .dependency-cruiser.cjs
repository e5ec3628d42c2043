/**
 * The layers of docs/architecture.md, top first: a folder may import from folders below its own layer only.
 * A folder within a layer does not import its neighbours.
 */
const layers = [
  ['embedded'],
  ['dashboard', 'operations', 'admin'],
  ['sandbox'],
  ['webhooks', 'scheduling', 'campaigns'],
  ['messages'],
  ['templates', 'pricing', 'numbers'],
  ['alerts'],
  ['accounts', 'provider'],
  ['http'],
  ['database'],
  ['config'],
  ['common'],
];

const folder = (names) => `^src/(${names.join('|')})/`;

const rules = layers.flatMap((names, level) => {
  const above = layers.slice(0, level).flat();
  const upwards = above.length
    ? [
        {
          name: `${names.join('-')}-imports-downwards`,
          severity: 'error',
          from: { path: folder(names) },
          to: { path: [folder(above), '^src/(main|app\\.module)\\.ts$'] },
        },
      ]
    : [];
  const neighbours = names.map((name) => ({
    name: `${name}-leaves-its-neighbours-alone`,
    severity: 'error',
    from: { path: folder([name]) },
    to: { path: names.length > 1 ? folder(names.filter((other) => other !== name)) : '^$' },
  }));
  return [...upwards, ...neighbours];
});

module.exports = {
  forbidden: [
    ...rules,
    {
      name: 'sandbox-knows-only-the-wire',
      comment: 'The client speaks real HTTP to the sandbox, so the demo runs the code path of production.',
      severity: 'error',
      from: { path: '^src/sandbox/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(sandbox/|provider/wire\\.ts|common/)' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Rules take time and randomness as arguments and know neither Nest nor I/O.',
      severity: 'error',
      from: { path: '/domain/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: [
          '@nestjs',
          'node_modules/(pg|typeorm|bull|undici|ioredis)/',
          '\\.(service|store|module|entity)\\.ts$',
        ],
      },
    },
    {
      name: 'service-leaves-the-page-alone',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^dashboard/' },
    },
    {
      name: 'page-shares-only-rules',
      comment: 'The page is another program: it knows the API, and the pure rules that both check by.',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^src/', pathNot: '/domain/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unlisted-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
