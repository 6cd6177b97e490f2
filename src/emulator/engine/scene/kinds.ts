/** What lights a scene. */
export type Light = 'day' | 'sunset' | 'dawn' | 'night' | 'storm';

/** What stands on the ground of a scene. */
export type Land = 'hills' | 'mountains' | 'forest' | 'ocean' | 'city' | 'desert' | 'snow';
