import type { ReactElement } from 'react';
import type { Item } from '../../state/gallery.js';
import { texts } from '../../texts.js';
import { useSource } from './use-source.js';

/** A result at a glance: its picture or the first one of its film, else a sign of what it is. */
export const Tile = ({ item }: { readonly item: Item }): ReactElement => {
  const source = useSource(item);
  return (
    <>
      <span className="tile-picture">
        {source === undefined ? null : item.kind === 'image' ? (
          <img src={source} alt="" loading="lazy" decoding="async" />
        ) : item.kind === 'video' ? (
          <video src={`${source}#t=0.1`} muted preload="metadata" tabIndex={-1} />
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
