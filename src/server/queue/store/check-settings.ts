import type { RedisCommands } from '../redis/redis-commands.js';

/** A setting of the server that makes a promise of the queue weaker. */
export interface WeakSetting {
  /** Its name, or `CONFIG` where the server tells none of its settings. */
  readonly setting: string;
  readonly message: string;
}

/** A setting of the server that a queue relies on, and the warning where it is another one. */
const needed = [
  {
    setting: 'appendonly',
    value: 'yes',
    without: 'a restart of the server forgets jobs, and what became of their submissions',
  },
  {
    setting: 'appendfsync',
    value: 'always',
    without:
      'a crash of the server may forget the last second: a job of which only the intent or the answer is gone becomes unknown, or is submitted again',
  },
  {
    setting: 'maxmemory-policy',
    value: 'noeviction',
    without: 'a server that is short of memory deletes jobs',
  },
] as const;

/** The first version of Redis that a queue is tested with. */
const oldestVersion = 7;

/** Checks the version and the settings of the server; empty if all are as a queue needs them. */
export const checkSettings = async (redis: Pick<RedisCommands, 'send'>): Promise<readonly WeakSetting[]> => [
  ...(await checkVersion(redis)),
  ...(await checkNeeded(redis)),
];

const checkVersion = async (redis: Pick<RedisCommands, 'send'>): Promise<readonly WeakSetting[]> => {
  const info = String(await redis.send('INFO', 'server').catch(() => ''));
  const version = /^redis_version:(\S+)/mu.exec(info)?.[1];
  if (version === undefined || Number.parseInt(version, 10) >= oldestVersion) return [];
  return [
    {
      setting: 'redis_version',
      message: `The Redis server has the version ${version}, and a queue is tested with ${oldestVersion} and later.`,
    },
  ];
};

const checkNeeded = async (redis: Pick<RedisCommands, 'send'>): Promise<readonly WeakSetting[]> => {
  let settings: ReadonlyMap<string, string>;
  try {
    settings = await readSettings(redis);
  } catch {
    const names = needed.map(({ setting, value }) => `${setting} ${value}`).join(', ');
    return [
      {
        setting: 'CONFIG',
        message: `The Redis server does not tell its settings, so they are not checked. A queue needs: ${names}.`,
      },
    ];
  }
  return needed
    .filter(({ setting, value }) => settings.get(setting) !== value)
    .map(({ setting, value, without }) => ({
      setting,
      message: `The Redis server has ${setting} ${settings.get(setting) ?? 'unset'}, and a queue needs ${value}: ${without}.`,
    }));
};

const readSettings = async (redis: Pick<RedisCommands, 'send'>): Promise<ReadonlyMap<string, string>> => {
  const settings = new Map<string, string>();
  for (const { setting } of needed) {
    const [, value] = (await redis.send('CONFIG', 'GET', setting)) as readonly string[];
    if (value !== undefined) settings.set(setting, value);
  }
  return settings;
};
