import type { ReactElement } from 'react';
import type { Timeline } from '../../state/timeline.js';
import { texts } from '../../texts.js';
import type { Workflow } from '../../../../index.js';

interface WaterfallProps {
  readonly timeline: Timeline | undefined;
  readonly workflow: Workflow | undefined;
}

/** When each node ran and how long: the slow ones are the wide ones. */
export const Waterfall = ({ timeline, workflow }: WaterfallProps): ReactElement => {
  const nodes = timeline?.nodes ?? [];
  const cached = nodes.filter(({ phase }) => phase === 'cached').length;
  const ran = nodes.filter(({ phase, isUnseen }) => phase !== 'cached' && isUnseen !== true);
  if (timeline === undefined || ran.length === 0)
    return <p className="stage-empty">{texts.waterfall.empty}</p>;
  const { start, end = timeline.heard } = timeline;
  const span = Math.max(1, end - start);
  return (
    <div className="waterfall" tabIndex={0} role="group" aria-label={texts.waterfall.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.waterfall.node}</th>
            <th scope="col">{texts.waterfall.time}</th>
            <th scope="col">{texts.waterfall.total(span)}</th>
          </tr>
        </thead>
        <tbody>
          {ran.map(({ nodeId, start: began, end: ended, phase }) => {
            const node = workflow?.[nodeId];
            const took = (ended ?? end) - began;
            return (
              <tr key={nodeId} className={`is-${phase}`}>
                <th scope="row">{node?._meta?.title ?? node?.class_type ?? nodeId}</th>
                <td className="waterfall-time">{texts.duration(took)}</td>
                <td className="waterfall-line">
                  <span
                    className="waterfall-bar"
                    style={{
                      left: `${(100 * (began - start)) / span}%`,
                      width: `max(3px, ${(100 * took) / span}%)`,
                    }}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {cached > 0 && <p className="hint">{texts.waterfall.cached(cached)}</p>}
    </div>
  );
};
