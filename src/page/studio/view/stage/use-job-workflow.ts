import { useEffect, useState } from 'react';
import type { KnownJob } from '../../state/jobs.js';
import { useStudio } from '../use-studio.js';
import type { Workflow } from '../../../../index.js';

/** The workflow of a job: as the page has submitted it, else as the gateway has kept it. `isIdle`: no view shows it yet. */
export const useJobWorkflow = ({ id, workflow }: KnownJob, isIdle: boolean): Workflow | undefined => {
  const { gateway } = useStudio();
  const [found, setFound] = useState<Workflow>();
  useEffect(() => {
    if (workflow !== undefined || id === undefined || isIdle || found !== undefined) return undefined;
    let isShown = true;
    gateway.workflowOf(id).then(
      (kept) => isShown && setFound(kept),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [gateway, id, workflow, isIdle, found]);
  return workflow ?? found;
};
