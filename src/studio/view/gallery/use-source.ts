import { useEffect, useState } from 'react';
import type { Item } from '../../state/gallery.js';
import { useStudio } from '../use-studio.js';

/** The address of a result; undefined until it is known, and where it is gone. */
export const useSource = (item: Pick<Item, 'jobId' | 'filename' | 'nodeId'>): string | undefined => {
  const { outputs } = useStudio();
  const { jobId, filename, nodeId } = item;
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let isShown = true;
    setSource(undefined);
    outputs.source({ jobId, filename, nodeId }).then(
      (found) => isShown && setSource(found),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [outputs, jobId, filename, nodeId]);
  return source;
};
