import { argumentsOf, json, type Tool, type ToolContext } from './tool.js';
import { likeIt, nearestNames } from '../../../workflow/edit/nearest-names.js';
import type { McpService, ServiceTemplate } from '../service/mcp-service.js';
import { objectArgument, textArgument } from './read-args.js';
import { runTool, waitArgument } from './run-job.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** The tools on templates: workflows with named inputs, which are the easiest to run. */
export const templateTools = (context: ToolContext): readonly Tool[] => [
  {
    name: 'list_templates',
    title: 'List templates',
    description:
      'Lists the workflows that run by name and inputs, with the names of their inputs. Look here first: a template needs no graph.',
    inputSchema: argumentsOf({}),
    readOnly: true,
    call: async () =>
      json({
        templates: (await context.service.templates()).map(({ name, jsonSchema }) => ({
          name,
          inputs: Object.keys(objectArgument(jsonSchema, 'properties')),
        })),
      }),
  },
  {
    name: 'describe_template',
    title: 'Describe a template',
    description: 'Gives the JSON Schema of the inputs of a template: types, bounds, choices and defaults.',
    inputSchema: argumentsOf({ name: { type: 'string' } }, ['name']),
    readOnly: true,
    call: async (args) => {
      const { name, jsonSchema } = await templateOf(context.service, textArgument(args, 'name'));
      return json({ name, inputs: jsonSchema });
    },
  },
  {
    name: 'run_template',
    title: 'Run a template',
    description:
      'Runs a template with values for its inputs and gives its pictures, texts and files. It makes a job, which may cost money. ' +
      'A job that takes longer than `wait_seconds` goes on: ask job_status for it.',
    inputSchema: argumentsOf(
      {
        name: { type: 'string' },
        inputs: { type: 'object', description: 'As describe_template says.' },
        wait_seconds: waitArgument,
      },
      ['name'],
    ),
    readOnly: false,
    call: async (args, call) => {
      const { service } = context;
      const template = await templateOf(service, textArgument(args, 'name'));
      const inputs = objectArgument(args, 'inputs');
      const workflow = template.fill?.(inputs);
      const definitions =
        workflow === undefined ? undefined : await service.definitions().catch(() => undefined);
      const planned = { name: `The template ${template.name}`, workflow, definitions };
      return runTool(context, planned, args, call, () => template.run(inputs));
    },
  },
];

const templateOf = async (
  { templates }: Pick<McpService, 'templates'>,
  name: string,
): Promise<ServiceTemplate> => {
  const known = await templates();
  const found = known.find((template) => template.name === name);
  if (found !== undefined) return found;
  const names = known.map((template) => template.name);
  throw serviceError('InvalidConfig', {
    option: 'name',
    message: `There is no template ${JSON.stringify(name)}${likeIt(nearestNames(name, names))}.`,
    hint:
      names.length === 0
        ? 'This server has no templates: use run_workflow.'
        : `There are: ${names.join(', ')}.`,
  });
};
