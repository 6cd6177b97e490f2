import { useState } from 'react';
import { failureOf } from '../state/failure.js';
import { shippedWorkflows } from '../state/library.js';
import { texts } from '../texts.js';
import { useStudio } from './use-studio.js';

/** Puts the workflow of an earlier job on the bench, with its inputs as they were. */
export const useReuse = () => {
  const { gateway, bench } = useStudio();
  const [problem, setProblem] = useState<string>();
  const use = (jobId: string, title: string): void => {
    gateway.workflowOf(jobId).then(
      (workflow) => {
        if (workflow === undefined) {
          setProblem(texts.gallery.noWorkflow);
          return;
        }
        const known = shippedWorkflows.find((entry) => entry.title === title);
        const { shown } = known ?? {};
        bench.act({ type: 'bring', brought: { title, workflow, ...(shown !== undefined && { shown }) } });
        location.hash = '#/create';
      },
      (error: unknown) => setProblem(failureOf(error).message),
    );
  };
  return { problem, use };
};
