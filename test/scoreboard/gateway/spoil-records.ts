import { gzipSync } from 'node:zlib';
import type { Random } from '../../simulation/random.js';
import type { Redis } from 'ioredis';

/** A queue in Redis, and the caller whose jobs are spoiled. */
export interface SpoiledQueue {
  readonly redis: Redis;
  /** The name of the queue. */
  readonly name: string;
  readonly owner: string;
}

const deep = (levels: number, inside = '12345678901234567890'): string =>
  `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
const deepObject = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Texts of JSON that stand for a value. */
const values: readonly (() => string)[] = [
  ...['null', '5', '-1', '1e999', '0.5', 'true', '""', '"x"', '[]', '{}', '[null]', '[5]', '{"a":null}'],
  ...['12345678901234567890', '9007199254740993', '-9e300', '"\\ud83d"', '{"\\udc00":"\\ud83d"}'],
  ...['{"__proto__":{"x":1}}', '{"toString":1,"hasOwnProperty":2}', '{"length":5}', '{"a":{},"a":5}'],
].map((text) => () => text);
const largeValues: readonly (() => string)[] = [
  () => deep(10_000),
  () => deepObject(10_000),
  () => deep(1_000_000),
  () => `"${'x'.repeat(8 * 2 ** 20)}"`,
  () => `[${'{},'.repeat(200_000)}1]`,
];
/** Texts that are no such value. */
const texts: readonly (() => string | Buffer)[] = [
  ...['', 'x', '{"cut', '[1,', '\u{0}', 'NaN', 'undefined', '-', '2', '99', '1.5', '-1'].map(
    (text) => () => text,
  ),
  () => Buffer.from([0xff, 0xfe, 0x00, 0xc3]),
];
const anyText = (random: Random): string | Buffer =>
  random.chance(0.5) ? random.pick(texts)() : anyValue(random);
const anyValue = (random: Random): string => random.pick(random.chance(0.3) ? largeValues : values)();

type Json = Record<string, unknown>;

/** Puts a hostile value in the place of one that a text of JSON holds. */
const spoilMember = (text: string, random: Random): readonly [string, string] => {
  const mark = '@hostile@';
  const root = JSON.parse(text) as Json;
  const path: string[] = [];
  let at: Json = root;
  for (;;) {
    const names = Object.keys(at);
    if (names.length === 0) return [text, `${path.join('.')} is empty`];
    const name = random.pick(names);
    path.push(name);
    const member = at[name];
    if (typeof member !== 'object' || member === null || random.chance(0.5)) break;
    if (Object.keys(member).length === 0) break;
    at = member as Json;
  }
  at[path.at(-1)!] = mark;
  const value = anyValue(random);
  return [
    JSON.stringify(root).replace(`"${mark}"`, () => value),
    `${path.join('.')} = ${value.slice(0, 40)}`,
  ];
};

const shown = (text: string | Buffer): string => JSON.stringify(text.toString('latin1').slice(0, 40));

/** Spoils the text of a field: the whole, or a value in it. */
const spoilText = (text: string, random: Random): readonly [string | Buffer, string] => {
  if (text.startsWith('{') && random.chance(0.8)) return spoilMember(text, random);
  const other = anyText(random);
  return [other, shown(other)];
};

const spoilField = async (redis: Redis, key: string, random: Random): Promise<string> => {
  const fields = await redis.hkeys(key);
  const field = random.pick(fields);
  const [text, what] = spoilText((await redis.hget(key, field)) ?? '', random);
  await redis.hset(key, field, text);
  return `${field} of ${key}: ${what}`;
};

/** Writes a stream anew, with another text in one of its entries. */
const spoilStream = async (redis: Redis, key: string, job: string, random: Random): Promise<string> => {
  const entries = await redis.xrange(key, '-', '+');
  const own = entries.filter(([, [, of]]) => of === job);
  if (own.length === 0) return `${key} has no events`;
  const [id] = random.pick(own);
  await redis.del(key);
  let what = '';
  for (const [entry, [one = '', of = '', two = '', text = '']] of entries) {
    const spoiled: readonly [string | Buffer, string] = entry === id ? spoilText(text, random) : [text, ''];
    what += spoiled[1];
    await redis.xadd(key, entry, one, of, two, spoiled[0]);
  }
  return `${id} of ${key}: ${what}`;
};

const packs: readonly ((random: Random) => string | Buffer)[] = [
  (random) => anyText(random),
  (random) => gzipSync(anyValue(random)),
  (random) => gzipSync(`{"workflow":${anyValue(random)}}`),
  (random) => gzipSync(`{"workflow":{"1":${anyValue(random)}}}`),
  (random) => gzipSync(`{"workflow":{"1":{"class_type":"X","inputs":${anyValue(random)}}}}`),
  (random) => gzipSync(`{"workflow":{"1":{"class_type":"X","inputs":{}}},"extraData":${anyValue(random)}}`),
  // What is small unpacks to more than a text may have.
  () => Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(16 * 2 ** 20, 0x20)))),
];

/** Spoils one thing that is kept of a job, and says what. */
export const spoilJob = async (
  { redis, name, owner }: SpoiledQueue,
  id: string,
  random: Random,
): Promise<string> => {
  const queue = `{promptwire:${name}}:`;
  const gateway = `{promptwire:${name}:gateway}:`;
  const events = JSON.stringify([owner, id]);
  const way = random.below(100);
  if (way < 40) return spoilField(redis, `${gateway}job:${id}`, random);
  if (way < 60) return spoilField(redis, `${queue}job:${id}`, random);
  if (way < 75) return spoilStream(redis, `${queue}events-of:${events}`, id, random);
  if (way < 90) return spoilStream(redis, `${queue}events:${owner}`, id, random);
  const key = random.pick([
    ...[`${gateway}job:${id}`, `${queue}job:${id}`, `${queue}workflow:${id}`],
    `${queue}events-of:${events}`,
  ]);
  if (random.chance(0.5)) {
    await redis.del(key);
    if (random.chance(0.5)) await redis.rpush(key, 'x');
    else await redis.set(key, anyText(random));
    return `${key} of another type`;
  }
  await redis.del(key);
  return `${key} is gone`;
};

/** Spoils what is kept of a job that waits, and says what. */
export const spoilWaiting = async (queue: SpoiledQueue, id: string, random: Random): Promise<string> => {
  if (random.chance(0.5)) return spoilJob(queue, id, random);
  const key = `{promptwire:${queue.name}}:workflow:${id}`;
  const packed = random.pick(packs)(random);
  await queue.redis.set(key, packed);
  return `${key}: ${shown(packed)}`;
};
