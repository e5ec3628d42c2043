import { formatBytes, formatDateTime, formatMoney, formatPercent, formatRelative } from './format';

describe('an amount of money', () => {
  it.each([
    ['0', '$0.00'],
    ['0.1', '$0.10'],
    ['0.012345', '$0.012345'],
    ['12345678901234567.012345', '$12,345,678,901,234,567.012345'],
    ['-1.5', '-$1.50'],
  ])('%s is shown exactly, as %s', (amount, text) => {
    expect(formatMoney(amount, 'USD')).toBe(text);
  });
});

describe('a time', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');

  it.each([
    ['2026-03-10T12:00:05Z', 'now'],
    ['2026-03-10T11:59:30Z', '30 seconds ago'],
    ['2026-03-10T11:58:31Z', '1 minute ago'],
    ['2026-03-10T14:00:00Z', 'in 2 hours'],
    ['2026-03-09T11:00:00Z', 'yesterday'],
    ['2026-02-01T12:00:00Z', 'Feb 1, 2026'],
  ])('%s is said as "%s"', (iso, text) => {
    expect(formatRelative(iso, now)).toBe(text);
  });

  it('is exact to the second in the given zone, which is named', () => {
    expect(formatDateTime('2026-03-10T12:00:00Z', 'Asia/Kolkata')).toBe('Mar 10, 2026, 17:30:00 GMT+5:30');
  });
});

describe('sizes and shares', () => {
  it.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [1_500, '1.5 kB'],
    [100_000_000, '100 MB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('have one decimal place at most', () => {
    expect(formatPercent(0.1251)).toBe('12.5%');
  });
});
