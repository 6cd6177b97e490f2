import { useState, type ReactElement } from 'react';
import type { Item } from '../../state/gallery.js';
import { texts } from '../../texts.js';
import { useSource } from './use-source.js';

/** A result at a glance: its picture or the first one of its film, else a sign of what it is. */
export const Tile = ({ item }: { readonly item: Item }): ReactElement => {
  const source = useSource(item);
  const [loading, setLoading] = useState<'begun' | 'done' | 'failed'>('begun');
  const onError = (): void => setLoading('failed');
  const isLoading = source === undefined || (source !== null && loading === 'begun' && isSeen(item));
  return (
    <>
      <span className={`tile-picture${isLoading ? ' is-loading' : ''}`}>
        {source === undefined ? null : source === null || loading === 'failed' ? (
          <span className="tile-sign">{texts.gallery.gone}</span>
        ) : item.kind === 'image' ? (
          <img src={source} alt="" decoding="async" onLoad={() => setLoading('done')} onError={onError} />
        ) : item.kind === 'video' ? (
          <video
            src={`${source}#t=0.1`}
            muted
            preload="metadata"
            tabIndex={-1}
            onLoadedMetadata={() => setLoading('done')}
            onError={onError}
          />
        ) : (
          <span className="tile-sign" aria-hidden="true">
            {texts.kinds[item.kind]}
          </span>
        )}
      </span>
      <span className="tile-text">{item.cell ?? item.title}</span>
    </>
  );
};

/** Whether a tile shows the result itself. */
const isSeen = ({ kind }: Item): boolean => kind === 'image' || kind === 'video';
