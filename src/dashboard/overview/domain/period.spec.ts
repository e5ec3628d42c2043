import { describe, expect, it } from '@jest/globals';
import { type PeriodName, periodOf } from './period.js';

const NOW = new Date('2026-03-30T10:20:00Z');
const of = (name: PeriodName, zone: string) => periodOf(name, zone, NOW);

describe('A period', () => {
  it('of 24 hours ends with the current hour', () => {
    const { unit, from, previousFrom, previousTo, points } = of('24h', 'UTC');
    expect({ unit, from, previousFrom, previousTo }).toEqual({
      unit: 'hour',
      from: new Date('2026-03-29T11:00:00Z'),
      previousFrom: new Date('2026-03-28T11:00:00Z'),
      previousTo: new Date('2026-03-29T11:00:00Z'),
    });
    expect(points).toHaveLength(24);
    expect([points[0], points.at(-1)]).toEqual(['2026-03-29T11:00:00Z', '2026-03-30T10:00:00Z']);
  });

  it('of days ends with today, and is compared with an equal part of the days before', () => {
    const { unit, from, previousFrom, previousTo, points } = of('7d', 'UTC');
    expect({ unit, from, previousFrom, previousTo }).toEqual({
      unit: 'day',
      from: new Date('2026-03-24T00:00:00Z'),
      previousFrom: new Date('2026-03-17T00:00:00Z'),
      previousTo: new Date('2026-03-23T11:00:00Z'),
    });
    expect([points.length, points[0], points.at(-1)]).toEqual([7, '2026-03-24', '2026-03-30']);
  });

  it('has the days of its zone, also where the clock was changed', () => {
    // Berlin went to summer time on 29 March.
    expect(of('7d', 'Europe/Berlin').from).toEqual(new Date('2026-03-23T23:00:00Z'));
    expect(of('30d', 'America/Los_Angeles').points.at(-1)).toBe('2026-03-30');
    expect(of('30d', 'Pacific/Kiritimati').points.at(-1)).toBe('2026-03-31');
  });

  it('gives an hour that two days share to one of them', () => {
    expect(of('7d', 'Asia/Kolkata').from).toEqual(new Date('2026-03-23T19:00:00Z'));
    expect(of('7d', 'Asia/Kathmandu').from).toEqual(new Date('2026-03-23T18:00:00Z'));
  });

  it.each(['24h', '7d', '30d', '90d'] as const)('of %s has a point for each part', (name) => {
    expect(of(name, 'UTC').points).toHaveLength({ '24h': 24, '7d': 7, '30d': 30, '90d': 90 }[name]);
  });
});
