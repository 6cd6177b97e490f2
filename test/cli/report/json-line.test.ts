import { describe, expect, it } from 'vitest';
import { jsonLine } from '../../../src/cli/report/json-line.js';

describe('jsonLine', () => {
  it('is one line that reads back as the same value', () => {
    const value = { text: 'a\nb\u2028c\u0085d\u202Ee\u009B31m\u007F\uFEFF"\\', list: [1, null, 'é猫👩‍💻'] };
    const line = jsonLine(value);
    expect(JSON.parse(line)).toEqual(value);
    expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202E\uFEFF]/u);
    expect(line).toContain('é猫');
  });

  it('keeps members of objects without a prototype, whatever they are called', () => {
    const nodes = Object.create(null) as Record<string, unknown>;
    nodes['__proto__'] = 1;
    expect(jsonLine({ nodes })).toBe('{"nodes":{"__proto__":1}}');
  });
});
