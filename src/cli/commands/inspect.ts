import { type CommonFlags, orThrow, type RunCommand } from '../run-command.js';
import type { Command } from 'commander';
import { inspect } from '../inspect/inspection.js';
import { parseJsonFile } from '../input/read-json.js';
import { readGraph } from '../../workflow/index.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { withJson } from './common-options.js';

/** Adds `promptwire inspect`. */
export const addInspect = (program: Command, runCommand: RunCommand): void => {
  withJson(program.command('inspect'))
    .description('Print the workflow that a file holds or carries: its nodes, inputs, models and problems.')
    .argument('<file>', 'workflow (JSON), or a picture or video that carries one; - is standard input')
    .action((file: string, flags: CommonFlags) =>
      runCommand(flags, async ({ io, stop, report }) => {
        const found = await readWorkflowFile(file, { stdin: io.stdin, stop });
        const graph = readGraph(found.text);
        if (graph._tag === 'Left') parseJsonFile(found);
        report({ kind: 'inspected', inspection: inspect(found, orThrow(graph)) });
        return 'done';
      }),
    );
};
