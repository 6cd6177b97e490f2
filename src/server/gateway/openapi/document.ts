import { type Components, type JsonSchema, jsonSchemaOf } from './json-schema.js';
import type { Content, Operation, Operations, Parameter } from './operation.js';
import { problemDetails } from '../contract/native.js';
import type { Route } from '../http/route.js';
import { v2Error } from '../contract/v2.js';
import { webhookMessage } from '../contract/events.js';

/** What the gateway tells of itself, as OpenAPI 3.1. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: JsonSchema;
  };
};

/** The members of a route that its description shows. */
export type DescribedRoute = Pick<Route, 'method' | 'path' | 'access' | 'errors' | 'unlimited'>;

/** Describes routes for callers that reach them at `base`. A route without a description is left out. */
export const openApiDocument = (
  routes: readonly DescribedRoute[],
  descriptions: Operations,
  base: string,
): OpenApiDocument => {
  const components: Components = new Map();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operation = descriptions[`${route.method} ${route.path}`];
    if (operation === undefined) continue;
    const path = (paths[pathOf(route.path)] ??= {});
    path[route.method.toLowerCase()] = operationObject(route, operation, components);
  }
  const message = jsonSchemaOf(webhookMessage, components);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: base === '' ? '/' : base }],
    security: [{ token: [] }],
    tags,
    paths,
    webhooks: { jobEvent: { post: webhookObject(message) } },
    components: {
      schemas: Object.fromEntries([...components].toSorted(byName)),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of the gateway.' },
        ticket: { type: 'apiKey', in: 'query', name: 'ticket', description: 'From `POST /watch-tokens`.' },
      },
    },
  };
};

const info = {
  title: 'promptwire gateway',
  version: '1.0.0',
  description:
    'Runs workflows for many callers. Below `/api/v2` it speaks API v2; the other addresses are its own. Objects may get more members, ' +
    'and lists of words more words: ignore what you do not know.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const tags = Object.entries({
  Jobs: 'Your jobs.',
  Events: 'What happens to jobs, as it happens.',
  Files: 'Files that jobs read and make.',
  Templates: 'Workflows that are run by name and inputs.',
  Workflows: 'Workflows before they are submitted.',
  Servers: 'What runs the jobs, for callers who may see it.',
  Webhooks: 'Events that are sent to an address of yours.',
  Tickets: 'Addresses that open without a token for a while.',
  Health: 'The gateway itself.',
  'API v2': 'The interface of the service that the gateway stands for.',
}).map(([name, description]) => ({ name, description }));

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** `/jobs/:id` is `/jobs/{id}`. */
const pathOf = (path: string): string => path.replaceAll(/:(\w+)/gu, '{$1}');

const operationObject = (
  { path, access, errors, unlimited }: DescribedRoute,
  operation: Operation,
  components: Components,
): JsonSchema => {
  const { id, tag, summary, description, query = {}, headers = {}, body } = operation;
  const inPath = [...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const given = (where: string, parameters: Readonly<Record<string, Parameter>>): readonly JsonSchema[] =>
    Object.entries(parameters).map(([name, parameter]) =>
      parameterObject(name, where, parameter, components),
    );
  const parameters = [...inPath, ...given('query', query), ...given('header', headers)];
  const refused = [
    ...(operation.refusals ?? []),
    ...(access === 'open' ? [] : [401]),
    ...(access === 'open' || unlimited === true ? [] : [429]),
  ];
  const refusal = contentObject(
    errors === 'v2' ? { 'application/json': v2Error } : { 'application/problem+json': problemDetails },
    components,
  );
  return {
    ...{ operationId: id, tags: [tag], summary },
    ...(description !== undefined && { description }),
    ...(access === 'open' && { security: [] }),
    ...(access !== 'open' && access !== 'caller' && { security: [{ token: [] }, { ticket: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: body.required, content: contentObject(body.content, components) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [
          status,
          {
            description: answer.description,
            ...(answer.headers !== undefined && { headers: headerObjects(answer.headers) }),
            ...(answer.content !== undefined && { content: contentObject(answer.content, components) }),
          },
        ]),
      ),
      ...Object.fromEntries(
        refused.map((status) => [status, { description: reasons[status] ?? 'A refusal.', content: refusal }]),
      ),
      default: { description: 'A refusal that any operation may give.', content: refusal },
    },
  };
};

const parameterObject = (
  name: string,
  where: string,
  { codec, description, style }: Parameter,
  components: Components,
): JsonSchema => ({
  ...{ name, in: where, description, schema: jsonSchemaOf(codec, components) },
  ...(style === 'list' && { style: 'form', explode: false }),
  ...(style === 'members' && { style: 'deepObject', explode: true }),
});

const contentObject = (content: Content, components: Components): JsonSchema =>
  Object.fromEntries(
    Object.entries(content).map(([type, codec]) => [type, { schema: jsonSchemaOf(codec, components) }]),
  );

const headerObjects = (headers: Readonly<Record<string, string>>): JsonSchema =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

const webhookObject = (message: JsonSchema): JsonSchema => ({
  operationId: 'receiveJobEvent',
  summary: 'A message to a webhook, signed after Standard Webhooks',
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: message } } },
  responses: {
    '2XX': { description: 'It has arrived.' },
    410: { description: 'The webhook is gone: nothing more is sent.' },
  },
});

const reasons: Readonly<Record<number, string>> = {
  400: 'The request can’t be read.',
  401: 'A token or a ticket is missing, or is not valid.',
  402: 'The account of the service has no credits.',
  403: 'It is not yours to change.',
  404: 'You have no such thing.',
  406: 'There is nothing of the types that you take.',
  409: 'It contradicts what is there.',
  413: 'The body is too large.',
  416: 'The range begins behind the end.',
  422: 'The body is not what the operation takes.',
  429: 'You use as much as you may: come back after `Retry-After`.',
  501: 'This gateway has none.',
  503: 'The gateway can’t serve now: come back after `Retry-After`.',
};
