import { describe, expect, it } from '@jest/globals';
import { readAccountAlert, readSecurityEvent } from './account-alert.js';

describe.each(['constructor', 'toString', 'valueOf', '__proto__'])(
  'The name %s, which every object has',
  (name) => {
    it('is no severity of an alert: it warns', () => {
      expect(readAccountAlert({ alert_severity: name })).toMatchObject({ severity: 'warning', isOpen: true });
    });

    it('is an event of security that is told by its name', () => {
      expect(readSecurityEvent({ event: name }).text).toBe(`${name}.`);
    });
  },
);
