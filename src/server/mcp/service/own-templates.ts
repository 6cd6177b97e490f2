import { type Either, getOrThrow } from '../../../core/protocol/either.js';
import type { McpService, ServiceTemplate } from './mcp-service.js';
import type { McpTemplate } from '../mcp-options.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** It checks whatever it gets. */
type FillTemplate = (inputs: unknown) => Either<Error, Workflow>;

/** The templates that the server itself has, which it fills before it runs them. */
export const ownTemplates = (
  templates: Readonly<Record<string, McpTemplate>>,
  run: McpService['run'],
): readonly ServiceTemplate[] =>
  Object.entries(templates).map(([name, template]) => {
    const fill = (inputs: unknown): Workflow => getOrThrow((template as unknown as FillTemplate)(inputs));
    return {
      name,
      jsonSchema: template.jsonSchema,
      fill,
      run: (inputs) => run(fill(inputs)),
    };
  });
