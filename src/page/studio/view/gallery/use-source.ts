import { useEffect, useState } from 'react';
import type { Item } from '../../state/gallery.js';
import { useStudio } from '../use-studio.js';

/** The address of a result; undefined until it is known, null if the gateway has it no more. */
export const useSource = (item: Pick<Item, 'jobId' | 'filename' | 'nodeId'>): string | null | undefined => {
  const { outputs } = useStudio();
  const { jobId, filename, nodeId } = item;
  const [source, setSource] = useState<string | null>();
  useEffect(() => {
    let isShown = true;
    setSource(undefined);
    outputs.source({ jobId, filename, nodeId }).then(
      (found) => isShown && setSource(found ?? null),
      () => isShown && setSource(null),
    );
    return () => {
      isShown = false;
    };
  }, [outputs, jobId, filename, nodeId]);
  return source;
};
