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

  it('is one too where randomUUID is withheld', () => {
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', {
      getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
    });
    expect(uuid()).toMatch(version4);
    expect(uuid()).not.toBe(uuid());
  });
});
