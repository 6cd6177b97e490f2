/** A link as definitions of subgraphs have it. */
export interface UiLink {
  readonly id: number;
  readonly origin_id: number | string;
  readonly origin_slot: number;
  readonly target_id: number | string;
  readonly target_slot: number;
  readonly type: string;
}

type ListedLink = [
  id: number,
  originId: number | string,
  originSlot: number | string,
  targetId: number | string,
  targetSlot: number,
  type: string,
];

/** Links as files of version 0.4 have them; some programs write the slot of the origin as text. */
export const asLists = (
  links: readonly UiLink[],
  slotOf: (slot: number) => number | string = (slot) => slot,
): readonly ListedLink[] =>
  links.map(({ id, origin_id, origin_slot, target_id, target_slot, type }): ListedLink => [
    id,
    origin_id,
    slotOf(origin_slot),
    target_id,
    target_slot,
    type,
  ]);
