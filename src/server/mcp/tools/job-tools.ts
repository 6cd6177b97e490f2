import { argumentsOf, json, text, type Tool, type ToolContext } from './tool.js';
import { ended } from './run-job.js';
import { numberArgument, textArgument } from './read-args.js';

const idArgument = { type: 'string', description: 'The id of a job.' } as const;

/** The tools on jobs that exist. */
export const jobTools = ({ service, show }: ToolContext): readonly Tool[] => [
  {
    name: 'job_status',
    title: 'Status of a job',
    description: 'Says where a job stands; of one that has ended it gives pictures, texts and files.',
    inputSchema: argumentsOf({ id: idArgument }, ['id']),
    readOnly: true,
    call: async (args) => {
      const state = await service.status(textArgument(args, 'id'));
      return ended(state, await show(state));
    },
  },
  {
    name: 'list_jobs',
    title: 'List jobs',
    description: 'Lists the jobs of the account, as the service orders them.',
    inputSchema: argumentsOf({ limit: { type: 'integer', minimum: 1, maximum: 100 } }),
    readOnly: true,
    call: async (args) => json({ jobs: await service.list(numberArgument(args, 'limit', 20)) }),
  },
  {
    name: 'cancel_job',
    title: 'Cancel a job',
    description: 'Asks for the end of one job, whether it waits or runs.',
    inputSchema: argumentsOf({ id: idArgument }, ['id']),
    readOnly: false,
    call: async (args) => {
      const id = textArgument(args, 'id');
      return text(
        (await service.cancel(id))
          ? `The end of job ${id} was asked for.`
          : `Job ${id} was over, or goes on.`,
      );
    },
  },
];
