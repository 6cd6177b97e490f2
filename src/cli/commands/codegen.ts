import { readGraphText, workflowOf } from '../input/graph-file.js';
import { withConnection, withFrom, type FromFlags } from './common-options.js';
import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import { definitionsFor, writeNew } from './convert.js';
import type { ExitName } from '../exit-code.js';
import { programOf } from '../codegen/program.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { sourceOf } from '../input/read-json.js';

interface CodegenFlags extends CommonFlags, FromFlags {
  readonly output?: string;
  readonly definitions?: string;
  readonly types?: string;
}

/** Adds `promptwire codegen`. */
export const addCodegen = (program: Command, runCommand: RunCommand): void => {
  withConnection(withFrom(program.command('codegen')))
    .description('Write the program that builds a workflow: running it gives the same graph.')
    .argument(
      '<file>',
      'workflow of either format (JSON), or a picture or video that carries one; - is standard input',
    )
    .option('-o, --output <file>', 'write it to this new file; otherwise to standard output')
    .option(
      '--types <module>',
      'import the declarations of `promptwire types` from here, such as ./nodes.js; without it all classes are unknown to the compiler',
    )
    .option(
      '--definitions <file>',
      'take the node classes from this file (an answer of object_info), not from the service',
    )
    .action((file: string, flags: CodegenFlags) =>
      runCommand(flags, (session) => generate(session, file, flags)),
    );
};

const generate = async (session: Session, file: string, flags: CodegenFlags): Promise<ExitName> => {
  session.enterStage('prepare');
  const { report } = session;
  const graph = readGraphText(await readWorkflowFile(file, sourceOf(session, flags)), {
    from: flags.from,
    warn: sourceOf(session, flags).warn,
  });
  const needsClasses =
    graph._tag === 'Ui' || (flags.types !== undefined && (flags.definitions ?? flags.baseUrl) !== undefined);
  const definitions = needsClasses ? await definitionsFor(session, flags) : undefined;
  const workflow = await workflowOf(graph, session, {
    definitions: () => Promise.resolve(definitions),
    options: { dynamicPrompts: 'raw' },
  });
  const { text, cycles } = programOf(workflow, { types: flags.types, definitions });
  for (const [nodeId, input] of cycles) {
    const message = `the link of node ${nodeId}, input ${input}, closes a cycle, which the service refuses; the program puts it in as it stands`;
    report({ kind: 'warning', message });
  }
  if (flags.output !== undefined) await writeNew(flags.output, text);
  report({ kind: 'program', text, ...(flags.output !== undefined && { path: flags.output }) });
  return 'done';
};
