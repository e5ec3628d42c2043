import { readFileSync } from 'node:fs';
import { describe, it, expect } from '@jest/globals';
import { COUNTRIES } from './markets.js';
import { parseRateCard, RateCardError } from './rate-card.js';

const HEADER = 'Market,Currency,Marketing,Utility,Authentication,Authentication-International';
const card = (...lines: string[]) => [HEADER, ...lines].join('\n');

const EGYPT = [
  { market: 'Egypt', currency: 'USD', category: 'MARKETING', amount: '0.1073' },
  { market: 'Egypt', currency: 'USD', category: 'UTILITY', amount: '0.0052' },
  { market: 'Egypt', currency: 'USD', category: 'AUTHENTICATION', amount: '0.0052' },
  { market: 'Egypt', currency: 'USD', category: 'AUTHENTICATION_INTERNATIONAL', amount: '0.065' },
];

function faultsOf(csv: string) {
  try {
    parseRateCard(csv);
  } catch (error) {
    if (error instanceof RateCardError) return error.faults;
    throw error;
  }
  throw new Error('The card was taken.');
}

describe('parseRateCard', () => {
  it.each([
    ['in the published form', card('Egypt,USD,0.1073,0.0052,0.0052,0.065')],
    [
      'with CRLF and a byte order mark',
      `\uFEFF${card('Egypt,USD,0.1073,0.0052,0.0052,0.065').replaceAll('\n', '\r\n')}\r\n`,
    ],
    ['with dollar signs', card('Egypt,$US,$0.1073,"$0.0052", $ 0.0052 ,USD 0.065')],
    [
      'with blanks and another spelling of the header',
      ' market , CURRENCY,marketing,Utility ,authentication,Authentication international\n Egypt , usd ,0.1073, 0.0052,0.0052,.0650',
    ],
    [
      'with quoted cells and empty lines',
      card('', '"Egypt","USD","0.1073","0.0052","0.0052","0.065"', '', ',,,,,'),
    ],
    ['with comments', `# a "sample", not prices\n${card('# more', 'Egypt,USD,0.1073,0.0052,0.0052,0.0650')}`],
    [
      'with lines above the header',
      `WhatsApp rate card\n"Effective July 1, 2026 (USD)",,,\n\n${card('Egypt,USD,0.1073,0.0052,0.0052,0.065')}`,
    ],
    [
      'with columns in another order and one more',
      'Currency,Market,Service,Authentication-International,Authentication,Utility,Marketing\nUSD,Egypt,n/a,0.065,0.0052,0.0052,0.1073',
    ],
  ])('reads a card %s', (_case, csv) => {
    expect(parseRateCard(csv)).toEqual(EGYPT);
  });

  it.each(['n/a', 'N/A', '', '-', ' '])('reads %p as no rate', (cell) => {
    const rates = parseRateCard(card(`Egypt,USD,0.1073,0.0052,0.0052,${cell}`));
    expect(rates).toEqual(EGYPT.slice(0, 3));
  });

  it('accepts a card without the international column, and a row without that cell', () => {
    expect(parseRateCard(`${HEADER.replace(/,[^,]*$/, '')}\nEgypt,USD,0.1073,0.0052,0.0052`)).toHaveLength(3);
    expect(parseRateCard(card('Egypt,USD,0.1073,0.0052,0.0052'))).toHaveLength(3);
  });

  it('keeps zero, a market it does not know, and every digit', () => {
    expect(parseRateCard(card('Atlantis,EUR,0,0.000000000001,123456789.5,'))).toEqual([
      { market: 'Atlantis', currency: 'EUR', category: 'MARKETING', amount: '0' },
      { market: 'Atlantis', currency: 'EUR', category: 'UTILITY', amount: '0.000000000001' },
      { market: 'Atlantis', currency: 'EUR', category: 'AUTHENTICATION', amount: '123456789.5' },
    ]);
  });

  it.each(['-0.01', 'NaN', 'free', '1e-3', '0,05 USD', '1.2.3', 'Infinity', '0x10', '$'])(
    'refuses %p as an amount',
    (cell) => {
      expect(faultsOf(card(`Egypt,USD,"${cell}",0.01,0.01,n/a`))).toEqual([
        { line: 2, reason: expect.stringContaining('MARKETING of Egypt') },
      ]);
    },
  );

  it('lists every fault with its line', () => {
    const csv = card(
      '# comment',
      'Egypt,USD,x,-1,0.01,n/a',
      'India,USD,0.01,0.01,0.01,n/a',
      ',USD,0.01,0.01,0.01,n/a',
      'India,USD,0.02,0.01,0.01,n/a',
      'Peru,dollars,0.01,0.01,0.01,n/a',
      'France,EUR,0.01,0.01,0.01,n/a',
    );
    expect(faultsOf(csv).map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '3 MARKETING of Egypt is no amount of 0 or more: x',
      '3 UTILITY of Egypt is no amount of 0 or more: -1',
      '5 The market is missing.',
      '6 India stands twice.',
      '7 The currency of Peru is none: dollars',
      '8 France is in EUR, the card in USD: load one card a currency.',
    ]);
  });

  it.each([
    ['nothing', '', 'No header row'],
    ['no header', 'Egypt,USD,0.1,0.1,0.1,n/a', 'No header row'],
    ['a header without Utility', 'Market,Currency,Marketing,Authentication\nEgypt,USD,1,1', 'No header row'],
    ['a header alone', HEADER, 'no rates'],
    ['rows without any rate', card('Egypt,USD,n/a,n/a,n/a,n/a'), 'no rates'],
    ['a quote that does not end', card('"Egypt,USD,0.1,0.1,0.1,n/a'), 'Not CSV'],
  ])('refuses %s', (_case, csv, reason) => {
    expect(faultsOf(csv)).toEqual([{ line: expect.any(Number), reason: expect.stringContaining(reason) }]);
  });
});

describe('the sample card', () => {
  const csv = readFileSync(new URL('../sample-rate-card.csv', import.meta.url), 'utf8');

  it('says in its first line that it is a sample', () => {
    expect(csv.split('\n')[0]).toMatch(/^# SAMPLE .* NOT the provider's/);
  });

  it('prices every market of the table in every category', () => {
    const rates = parseRateCard(csv);
    for (const category of ['MARKETING', 'UTILITY', 'AUTHENTICATION']) {
      const markets = rates.filter((rate) => rate.category === category).map((rate) => rate.market);
      expect(markets.toSorted()).toEqual(Object.keys(COUNTRIES).toSorted());
    }
  });
});
