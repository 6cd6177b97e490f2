/**
 * Workflows to begin with, in API format and as templates of a gateway; `promptwire demo --list` names them, and the emulator runs them all.
 *
 * @packageDocumentation
 */
import type { ExampleTemplate } from './workflow/examples/example.js';
import { type ExampleName, exampleWorkflows } from './workflow/examples/workflows.js';
import { getOrThrow } from './core/protocol/either.js';
import type { ObjectInfo } from './core/endpoints/object-info.js';
import { template } from './workflow/edit/template.js';

export { type ExampleName, exampleWorkflows } from './workflow/examples/workflows.js';
export type { Example, ExampleInput, ExampleResult, ExampleTemplate } from './workflow/examples/example.js';

/**
 * Makes a template of each example, as `createGateway({ templates })` takes them.
 *
 * With the node classes of the service (`client.rest.objectInfo()`) values are checked by them, else by the types of the workflow's own.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createClient } from 'promptwire';
 * import { exampleTemplates } from 'promptwire/examples';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const authorize = bearerTokens({ web: 'a-long-random-token' });
 * const gateway = createGateway({ client, authorize, templates: exampleTemplates() });
 * ```
 */
export const exampleTemplates = (
  definitions?: ObjectInfo,
): Readonly<Record<ExampleName, ExampleTemplate>> => {
  const made = Object.entries(exampleWorkflows).map(([name, { workflow, inputs }]) => [
    name,
    getOrThrow(template(workflow, inputs, definitions)),
  ]);
  return Object.fromEntries(made) as Record<ExampleName, ExampleTemplate>;
};
