import { putTemplateScript, readTemplateScript, removeTemplateScript } from './scripts/generated/scripts.js';
import { areObjects, isAbsentOr, isNumber, isText } from './event-shapes.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { inSlices } from '../../../core/platform/in-slices.js';
import { readingStoredJson, readStoredJson } from './read-stored-json.js';
import { realClock } from '../../../core/platform/clock.js';
import { textArgument } from './text-argument.js';
import { turnForLargeText } from '../../joblog/turn-for-large.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { runScript } from './script.js';
import { type TemplateBody, type TemplateHead, type TemplateStore } from '../../joblog/template-store.js';
import { parted } from '../../joblog/parted-template.js';

/** The gateway whose templates are kept, by its name, its client of Redis, and the bounds of all templates. */
export interface RedisTemplateStoreOptions {
  /** An open connection, which waits while the server is unreachable (`maxRetriesPerRequest: null`); it stays the caller's. */
  readonly redis: RedisClient;
  /** The name of the gateway's ports. */
  readonly name: string;
  /** The most templates of all callers; default 10 000. */
  readonly maxTemplates?: number | undefined;
  /** The most bytes of all templates, as JSON; default 128 MiB. */
  readonly maxTemplateSize?: number | undefined;
}

/**
 * Keeps the templates of callers in Redis, for any number of processes. Every call is one atomic step; while the server is unreachable, calls wait. A
 * template that can't be read is left out.
 */
export const redisTemplateStore = ({
  redis,
  name: gateway,
  maxTemplates = 10_000,
  maxTemplateSize = 128 * 1024 * 1024,
}: RedisTemplateStoreOptions): TemplateStore => {
  const prefix = `{promptwire:${gateway}}:`;
  return {
    put: async (template, { maxTemplates: most, maxSize }) => {
      const { head, body } = parted(template);
      const text = await textArgument(writeExactJson(body));
      const parts = [head.owner, head.name, writeExactJson(head), text];
      const bounds = [most, maxSize, maxTemplates, maxTemplateSize];
      const result = await runScript(redis, putTemplateScript, prefix, ...parts, ...bounds);
      return result === 'new' || result === 'old'
        ? { _tag: 'put', isNew: result === 'new' }
        : { _tag: 'full', of: result as 'templates' | 'size' | 'all' };
    },
    get: async (owner, name) => {
      const parts = await runScript(redis, readTemplateScript, prefix, owner, name);
      const [head = '', body = ''] = parts as readonly string[];
      const read = { head: readHead(head), body: await readBody(body) };
      return read.head && read.body && { ...read.head, ...read.body };
    },
    sizeOf: async (owner, name) => {
      const size = await redisCommands(redis).send('HGET', `${prefix}template-sizes:${owner}`, name);
      return size === null ? undefined : Number(size) || undefined;
    },
    list: async (owner) => {
      const heads = await redisCommands(redis).send('HVALS', `${prefix}templates:${owner}`);
      return (heads as readonly string[])
        .flatMap((head) => readHead(head) ?? [])
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    remove: async (owner, name) => (await runScript(redis, removeTemplateScript, prefix, owner, name)) === 1,
  };
};

const readHead = (text: string): TemplateHead | undefined => {
  const head = readStoredJson(text);
  const isWhole =
    isJsonObject(head) &&
    [head['owner'], head['name']].every(isText) &&
    [head['createdAt'], head['updatedAt']].every(isNumber) &&
    [head['title'], head['description']].every(isAbsentOr(isText)) &&
    isJsonObject(head['inputs']) &&
    areObjects(head['inputs']) &&
    isJsonObject(head['jsonSchema']);
  return isWhole ? (head as unknown as TemplateHead) : undefined;
};

/** A workflow may be large: it is read and written in turns of its own. */
const readBody = async (text: string): Promise<TemplateBody | undefined> => {
  await turnForLargeText(text);
  const body = await inSlices(readingStoredJson(text), realClock);
  return isJsonObject(body) && isJsonObject(body['workflow']) && areObjects(body['workflow'])
    ? (body as unknown as TemplateBody)
    : undefined;
};
