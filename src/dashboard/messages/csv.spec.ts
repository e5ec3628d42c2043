import { describe, expect, it } from '@jest/globals';
import { csvHeader, csvLines } from './csv.js';

describe('A line of CSV', () => {
  it('has quotes where a value needs them, and nothing for null', () => {
    expect(csvLines([['plain', 'a,b', 'say "hi"', 'two\nlines', 'old\rMac', null, '', 0.0125]])).toBe(
      'plain,"a,b","say ""hi""","two\nlines","old\rMac",,,0.0125\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
    'keeps %j from being a formula',
    (text) => {
      expect(csvLines([[text]])).toBe(`'${text}\r\n`);
    },
  );

  it('keeps a quoted value from being a formula as well', () => {
    expect(csvLines([['=HYPERLINK("http://x", "y")'], ['\r=1']])).toBe(
      `"'=HYPERLINK(""http://x"", ""y"")"\r\n"'\r=1"\r\n`,
    );
  });

  it('leaves numbers as they are, also negative ones', () => {
    expect(csvLines([[-1, 12]])).toBe('-1,12\r\n');
  });
});

describe('The header of a CSV file', () => {
  it('begins with a byte order mark, and keeps names from being formulas as well', () => {
    expect(csvHeader(['phone', '=1+1'])).toBe("\uFEFFphone,'=1+1\r\n");
  });
});
