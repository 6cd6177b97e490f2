import { createClientOn } from '../src/client/client.js';
import { describe, expect, it } from 'vitest';
import { fakePlatform } from './helpers/fake-platform.js';

const baseUrl = 'https://service.example';

describe('options that no client can work with', () => {
  it.each([
    ['dialect', 'Local'],
    ['tier', 'gold'],
    ['tier', 'toString'],
    ['lingerMs', -1],
    ['notFoundAfterMs', -1],
    ['recordWithinMs', -1],
    ['recordWithinMs', '2 minutes'],
    ['lingerMs', Number.NaN],
    ['partnerKeyField', ''],
    ['partnerKeyField', 5],
    ['baseUrl', 5],
    ['baseUrl', undefined],
    ['wsUrl', 5],
    ['wsUrl', null],
    ['apiKey', 5],
    ['apiKey', null],
    ['apiKey', ''],
    ['apiKey', ['key']],
    ['allowClearText', 'yes'],
    ['keptFrames', 5],
    ['keptFrames', null],
    ['keptFrames', { jobBytes: -1 }],
    ['keptFrames', { clientBytes: '8 MiB' }],
    ['requestBudget', 5],
    ['requestBudget', { perSecond: 0 }],
    ['requestBudget', { burst: 0.5 }],
    ['signal', 5],
    ['signal', null],
    ['signal', {}],
    ['signal', new AbortController()],
    ['WebSocket', 'wss'],
    ['WebSocket', null],
    ['durations', null],
    ['durations', { read: () => undefined }],
    ['platform', 5],
    ['platform', null],
    ['platform', { ...fakePlatform(), openSocket: undefined }],
    ['platform', { ...fakePlatform(), clock: { now: Date.now } }],
  ])('A12 are InvalidConfig: %s %j', (option, value) => {
    const make = (): unknown => createClientOn(fakePlatform(), { baseUrl, [option]: value });
    const message = expect.stringMatching(new RegExp(`^${option} .{8,}`, 'u')) as string;
    expect(make).toThrow(expect.objectContaining({ _tag: 'InvalidConfig', option, message }) as Error);
  });

  it.each([undefined, null, 5, 'https://service.example', []])(
    'A12 are InvalidConfig as a whole: %j',
    (options) => {
      const make = (): unknown => createClientOn(fakePlatform(), options as never);
      expect(make).toThrow(expect.objectContaining({ _tag: 'InvalidConfig', option: 'options' }) as Error);
    },
  );

  it('A12 H1 are told what they take, and never quoted', () => {
    const make = (apiKey: unknown) => (): unknown =>
      createClientOn(fakePlatform(), { baseUrl, apiKey } as never);
    expect(make({ key: 'secret' })).toThrow('apiKey takes a string.');
    expect(make(5)).toThrow('apiKey takes a string.');
  });

  it('are not those that are absent, nor members that are no options', async () => {
    const options = { baseUrl, dialect: undefined, tier: 'pro', storageUrl: 'elsewhere' } as never;
    const client = createClientOn(fakePlatform(), options);
    await expect(client.close()).resolves.toBeUndefined();
  });
});
