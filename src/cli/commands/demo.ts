import type { Command } from 'commander';
import { Option } from 'commander';
import { type Client, readApiWorkflow, setInput, type Workflow } from '../../node.js';
import { type CommonFlags, createClient, orThrow, type RunCommand, type Session } from '../run-command.js';
import { type ExampleName, exampleWorkflows } from '../../examples.js';
import type { ExitName } from '../exit-code.js';
import { isSample, makeSample } from '../serving/sample-files.js';
import { replaceFile } from '../replace-file.js';
import { saveOptions } from './save-outputs.js';
import { type SavingFlags, withJson, withSaving } from './common-options.js';
import { startEmulator, textToImageWorkflow } from '../../emulator.js';
import { submitAndWatch } from './submit-and-watch.js';

interface DemoFlags extends CommonFlags, SavingFlags {
  readonly workflow?: ExampleName;
  readonly list?: boolean;
  readonly saveWorkflow?: string;
}

/** Adds `promptwire demo`. */
export const addDemo = (program: Command, runCommand: RunCommand): void => {
  withSaving(withJson(program.command('demo')))
    .description(
      'Run a text-to-image workflow, or another example, through everything, against a service in this process. Needs no key.',
    )
    .option('--no-preview', 'show no preview pictures')
    .addOption(
      new Option('--workflow <name>', 'the example to run; default text-to-image').choices(
        Object.keys(exampleWorkflows),
      ),
    )
    .option('--list', 'list the examples, and run none')
    .option(
      '--save-workflow <file>',
      'write the workflow to this file first, in API format; an existing file is replaced',
    )
    .action((flags: DemoFlags) =>
      runCommand(flags, (session) => (flags.list === true ? list(session) : demo(session, flags))),
    );
};

const list = ({ report }: Session): Promise<ExitName> => {
  for (const [name, { description, inputs }] of Object.entries(exampleWorkflows))
    report({ kind: 'example', name, description, inputs: Object.keys(inputs) });
  return Promise.resolve('done');
};

const demo = async (
  session: Session,
  { saveWorkflow, workflow: name, ...flags }: DemoFlags,
): Promise<ExitName> => {
  await using emulator = await startEmulator();
  const { baseUrl, wsUrl, apiKey } = emulator;
  await using client = createClient({ baseUrl, wsUrl, apiKey });
  const graph = name === undefined ? textToImageWorkflow() : exampleWorkflows[name].workflow;
  const workflow = orThrow(readApiWorkflow(graph));
  if (saveWorkflow !== undefined) await replaceFile(saveWorkflow, `${JSON.stringify(workflow, null, 2)}\n`);
  return await submitAndWatch(session, client, await withSamples(client, workflow), saveOptions(flags));
};

/** Makes the files that a workflow names, as its own emulator has none, and gives the workflow with the names that they got. */
const withSamples = async (client: Client, workflow: Workflow): Promise<Workflow> => {
  let filled = workflow;
  for (const [nodeId, { inputs }] of Object.entries(workflow)) {
    for (const [input, value] of Object.entries(inputs)) {
      if (!isSample(value)) continue;
      const source = { content: await makeSample(client, value), filename: value };
      filled = orThrow(setInput(filled, nodeId, input, orThrow(await client.rest.uploadImage(source)())));
    }
  }
  return filled;
};
