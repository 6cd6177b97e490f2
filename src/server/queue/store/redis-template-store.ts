import { putTemplateScript, readTemplateScript, removeTemplateScript } from './scripts/generated/scripts.js';
import { parseExactJson, writeExactJson } from '../../../core/protocol/json/exact-json.js';
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
      const parts = [head.owner, head.name, writeExactJson(head), writeExactJson(body)];
      const bounds = [most, maxSize, maxTemplates, maxTemplateSize];
      const result = await runScript(redis, putTemplateScript, prefix, ...parts, ...bounds);
      return result === 'new' || result === 'old'
        ? { _tag: 'put', isNew: result === 'new' }
        : { _tag: 'full', of: result as 'templates' | 'size' | 'all' };
    },
    get: async (owner, name) => {
      const parts = await runScript(redis, readTemplateScript, prefix, owner, name);
      const [head, body] = (parts as readonly string[]).map(read) as [
        TemplateHead | undefined,
        TemplateBody | undefined,
      ];
      return head && body && { ...head, ...body };
    },
    list: async (owner) => {
      const heads = await redisCommands(redis).send('HVALS', `${prefix}templates:${owner}`);
      return (heads as readonly string[])
        .flatMap((head) => (read(head) as TemplateHead | undefined) ?? [])
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    remove: async (owner, name) => (await runScript(redis, removeTemplateScript, prefix, owner, name)) === 1,
  };
};

/** The value of a JSON text; undefined for anything else, or no text. */
const read = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
};
