import { describe, expect, it } from 'vitest';
import { createClientOn } from '../../src/client.js';
import { fakePlatform } from '../helpers/fake-platform.js';

const baseUrl = 'https://service.example';

describe('options that no client can work with', () => {
  it.each([
    ['dialect', 'Local'],
    ['tier', 'gold'],
    ['tier', 'toString'],
    ['lingerMs', -1],
    ['lingerMs', Number.NaN],
    ['partnerKeyField', ''],
  ])('are InvalidConfig: %s %j', (option, value) => {
    const make = (): unknown => createClientOn(fakePlatform(), { baseUrl, [option]: value });
    expect(make).toThrow(expect.objectContaining({ _tag: 'InvalidConfig', option }) as Error);
  });

  it('are not those that are absent, nor members that are no options', async () => {
    const options = { baseUrl, dialect: undefined, tier: 'pro', storageUrl: 'elsewhere' } as never;
    const client = createClientOn(fakePlatform(), options);
    await expect(client.close()).resolves.toBeUndefined();
  });
});
