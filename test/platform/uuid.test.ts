import { afterEach, describe, expect, it, vi } from 'vitest';
import { uuid } from '../../src/core/platform/uuid.js';

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

describe('uuid', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('is a random UUID', () => {
    expect(uuid()).toMatch(version4);
    expect(uuid()).not.toBe(uuid());
  });

  it('is that of the runtime where it makes them', () => {
    vi.stubGlobal('crypto', { randomUUID: () => 'of the runtime' });
    expect(uuid()).toBe('of the runtime');
  });

  it.each([
    [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    [0x05, '05050505-0505-4505-8505-050505050505'],
  ])('has all random bits but those of its version and variant: %i', (byte, expected) => {
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(byte) });
    expect(uuid()).toBe(expected);
  });

  it('is one too where randomUUID is withheld', () => {
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', {
      getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
    });
    expect(uuid()).toMatch(version4);
    expect(uuid()).not.toBe(uuid());
  });
});
