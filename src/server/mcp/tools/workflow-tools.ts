import { argumentsOf, json, type Tool, type ToolContext, type ToolResult } from './tool.js';
import { blocksSubmission } from '../../../workflow/validate/blocks-submission.js';
import { checkGraph, graphOf } from '../check-graph.js';
import type { Problem } from '../../../core/protocol/problem.js';
import { runTool, waitArgument } from './run-job.js';

const workflowArgument = {
  type: ['object', 'string'],
  description:
    'The workflow itself, as an object or as JSON text, in API format or as the editor saves it. No path and no address.',
} as const;

/** The tools on workflows: graphs of nodes. */
export const workflowTools = (context: ToolContext): readonly Tool[] => [
  {
    name: 'run_workflow',
    title: 'Run a workflow',
    description:
      'Checks a workflow by the node classes of the service and runs it, and gives its pictures, texts and files. It makes a job, which ' +
      'may cost money. Where it would be refused nothing is sent, and the answer says what is wrong and how to fix it.',
    inputSchema: argumentsOf({ workflow: workflowArgument, wait_seconds: waitArgument }, ['workflow']),
    readOnly: false,
    call: async (args, call) => {
      const { workflow, problems, definitions } = await checkGraph(
        context.service,
        graphOf(args['workflow']),
      );
      if (workflow === undefined || problems.some(blocksSubmission)) return refused(problems);
      const planned = { name: 'The workflow', workflow, definitions };
      return runTool(context, planned, args, call, () => context.service.run(workflow));
    },
  },
  {
    name: 'validate_workflow',
    title: 'Check a workflow',
    description:
      'Says what the service would refuse or ignore in a workflow, with fixes, and submits nothing.',
    inputSchema: argumentsOf({ workflow: workflowArgument }, ['workflow']),
    readOnly: true,
    call: async (args) => {
      const { workflow, problems, definitions } = await checkGraph(
        context.service,
        graphOf(args['workflow']),
      );
      const errors = problems.filter(blocksSubmission).length;
      return json({
        runs: workflow !== undefined && errors === 0,
        checked: definitions !== undefined,
        problems: problems.map(told),
      });
    },
  },
  {
    name: 'convert_workflow',
    title: 'Convert a workflow',
    description: 'Converts a workflow of the editor to API format, which lists the nodes with their inputs.',
    inputSchema: argumentsOf({ workflow: workflowArgument }, ['workflow']),
    readOnly: true,
    call: async (args) => {
      const { workflow, problems } = await checkGraph(context.service, graphOf(args['workflow']));
      return workflow === undefined ? refused(problems) : json({ workflow, problems: problems.map(told) });
    },
  },
];

const refused = (problems: readonly Problem[]): ToolResult =>
  ({
    ...json({
      refused: 'The service would refuse this workflow. Nothing was sent.',
      problems: problems.map(told),
      hint: 'Correct what has severity error: put `fix` where there is one, else look at describe_node for the class.',
    }),
    isError: true,
  }) as ToolResult;

const told = ({ nodeId, input, type, severity, message, fix, suggestion }: Problem): object => ({
  severity,
  type,
  message,
  ...(nodeId !== undefined && { node: nodeId }),
  ...(input !== undefined && { input }),
  ...(fix !== undefined && { fix }),
  ...(suggestion !== undefined && { suggestion }),
});
