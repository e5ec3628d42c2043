import { describe, expect, it } from '@jest/globals';
import { csvLine } from './csv.js';

describe('A line of CSV', () => {
  it('has quotes where a value needs them, and nothing for null', () => {
    expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 0.0125])).toBe(
      'plain,"a,b","say ""hi""","two\nlines",,0.0125\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('keeps %j from being a formula', (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`);
  });

  it('keeps a quoted value from being a formula as well', () => {
    expect(csvLine(['=HYPERLINK("http://x", "y")'])).toBe(`"'=HYPERLINK(""http://x"", ""y"")"\r\n`);
  });

  it('leaves numbers as they are, also negative ones', () => {
    expect(csvLine([-1, 12])).toBe('-1,12\r\n');
  });
});
