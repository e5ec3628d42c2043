import { describe, expect, it } from '@jest/globals';
import { fillIn } from './placeholders.js';

describe('Placeholders', () => {
  it('are replaced by their values, and stay when a value is empty', () => {
    expect(fillIn('Hi {{1}}, {{2}} of {{ 1 }} and {{3}}', { 1: 'Ana', 2: '' })).toBe(
      'Hi Ana, {{2}} of Ana and {{3}}',
    );
    expect(fillIn('Hi {{first_name}}', { first_name: '$& {{1}}' })).toBe('Hi $& {{1}}');
    expect(fillIn('Hi {{1}}')).toBe('Hi {{1}}');
  });
});
