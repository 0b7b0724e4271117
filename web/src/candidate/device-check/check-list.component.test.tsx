import { expect, test } from 'vitest';
import { wordsOf } from '../../testing/shown.tsx';
import { faceLine } from './check-list.tsx';

test.each(['no-frame', 'not-loaded', 'slow'] as const)(
  'says that the detection of a face is on its way: %s',
  async (cannotTell) => {
    const result = {
      ...{ faceFound: false, severalPeople: false, cannotTell },
      ...{ noSound: null, spoken: false, spokenLevel: null },
    };
    const { glyph, text } = faceLine(result, { share: null, ready: false }, false);
    expect(glyph).toBe('dashed');
    expect(await wordsOf(<p>{text}</p>)).toBe('Face detection is loading');
  },
);
