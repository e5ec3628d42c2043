import { isFarFrom } from './wall-time';

describe('a wall time', () => {
  it('that the clocks skip is reported, as the message is sent at another time', () => {
    expect(isFarFrom('2027-03-28T02:30', '2027-03-28T01:30:00.000Z', 'Europe/Berlin')).toBe(true);
  });

  it.each([
    ['2027-03-28T03:30', '2027-03-28T01:30:00.000Z', 'Europe/Berlin'],
    ['2027-06-01T00:00', '2027-05-31T20:00:00.000Z', 'Asia/Dubai'],
    // A time that has just passed is sent now.
    ['2027-06-01T00:00', '2027-05-31T20:01:00.000Z', 'Asia/Dubai'],
  ])('%s is not reported, as it is kept', (wall, instant, zone) => {
    expect(isFarFrom(wall, instant, zone)).toBe(false);
  });
});
