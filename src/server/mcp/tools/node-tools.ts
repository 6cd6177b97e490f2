import { argumentsOf, json, type Tool, type ToolContext } from './tool.js';
import { findNames } from '../find-names.js';
import { likeIt, nearestNames } from '../../../workflow/edit/nearest-names.js';
import { numberArgument, textArgument } from './read-args.js';
import { readDefinition } from '../../../workflow/definitions.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** The tools on what the service has: node classes, and the models that their inputs take. */
export const nodeTools = ({ service }: ToolContext): readonly Tool[] => [
  {
    name: 'find_nodes',
    title: 'Find nodes and models',
    description:
      'Finds node classes and models (checkpoints, LoRAs, samplers and other choices) of the service whose name has all of these words.',
    inputSchema: argumentsOf(
      {
        query: { type: 'string' },
        kind: { enum: ['nodes', 'models', 'both'], description: 'Default both.' },
        limit: { type: 'integer', minimum: 1, maximum: 200 },
      },
      ['query'],
    ),
    readOnly: true,
    call: async (args) =>
      json(
        findNames(await service.definitions(), {
          query: textArgument(args, 'query'),
          kind: textArgument(args, 'kind', 'both'),
          limit: numberArgument(args, 'limit', 30),
        }),
      ),
  },
  {
    name: 'describe_node',
    title: 'Describe a node class',
    description:
      'Gives the inputs of a node class with types, bounds, defaults and choices, and its outputs.',
    inputSchema: argumentsOf({ class: { type: 'string' } }, ['class']),
    readOnly: true,
    call: async (args) => {
      const name = textArgument(args, 'class');
      const definitions = await service.definitions();
      const found = readDefinition(definitions, name);
      if (found === undefined) {
        const nearest = nearestNames(name, Object.keys(definitions));
        throw serviceError('InvalidConfig', {
          option: 'class',
          message: `The service has no node class ${JSON.stringify(name)}${likeIt(nearest)}.`,
          hint: 'find_nodes lists the classes by words.',
        });
      }
      return json({
        class: name,
        ...(found.displayName !== undefined && { title: found.displayName }),
        isOutputNode: found.isOutputNode,
        inputs: found.inputs.map(({ name: input, group, type, options, choices }) => ({
          name: input,
          type,
          required: group === 'required',
          ...bounds(options),
          ...(choices !== undefined && { choices: choices.slice(0, maxChoices), of: choices.length }),
        })),
        outputs: found.outputs,
      });
    },
  },
];

/** A list of models may have thousands; find_nodes searches all of them. */
const maxChoices = 50;

const bounds = (options: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    ['default', 'min', 'max', 'step', 'tooltip']
      .filter((name) => options[name] !== undefined)
      .map((name) => [name, options[name]]),
  );
