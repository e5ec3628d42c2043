import { describe, expect, it } from '@jest/globals';
import { readAccountAlert, readSecurityEvent } from './account-alert.js';

describe.each(['constructor', 'toString', 'valueOf', '__proto__'])(
  'The name %s, which is a property of every object,',
  (name) => {
    it('is read as no known severity, so that the alert is a warning', () => {
      expect(readAccountAlert({ alert_severity: name })).toMatchObject({ severity: 'warning', isOpen: true });
    });

    it('is read as an unknown security event, whose text is its name', () => {
      expect(readSecurityEvent({ event: name }).text).toBe(`${name}.`);
    });
  },
);
