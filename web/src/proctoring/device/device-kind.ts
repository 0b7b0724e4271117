import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

/** What camera and fullscreen rules go by (product 7). Layout goes by width, not by this. */
export interface DeviceKind {
  /** Phone or tablet: no camera card, no overlay. */
  mobile: boolean;
  /** iPhone, iPad and iPod: the seed's delays, slower sound sampling, another audio request. */
  ios: boolean;
  /** Phones of Apple have no fullscreen for pages; the fullscreen rule is off there. */
  iphone: boolean;
}

/** iOS drops a navigation that comes with the touch itself (seed 9): milliseconds before it. */
export function startDelayMs({ ios }: Pick<DeviceKind, 'ios'>): number {
  return ios ? SCREEN_LIMITS.iosStartDelayMs : 0;
}

/** The parts of `navigator` that tell the kind. */
export interface NavigatorHints {
  userAgent: string;
  maxTouchPoints: number;
  userAgentData?: { mobile: boolean };
}

/**
 * `userAgentData.mobile` where the browser has it, else Android, iPhone and iPad by name. iPadOS
 * calls itself a Macintosh; no Mac has a touch screen.
 */
export function deviceKind({
  userAgent,
  maxTouchPoints,
  userAgentData,
}: NavigatorHints): DeviceKind {
  const iphone = /iPhone|iPod/.test(userAgent);
  const ipad = /iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  const ios = iphone || ipad;
  const mobile = ios || (userAgentData?.mobile ?? /Android/.test(userAgent));
  return { mobile, ios, iphone };
}

/** The device this page runs on. */
export function thisDevice(): DeviceKind {
  const { userAgent, maxTouchPoints } = navigator;
  const data: unknown = Reflect.get(navigator, 'userAgentData');
  // Not in the DOM types yet: only Chromium has it.
  const mobile =
    typeof data === 'object' &&
    data !== null &&
    'mobile' in data &&
    typeof data.mobile === 'boolean'
      ? data.mobile
      : undefined;
  return deviceKind({
    userAgent,
    maxTouchPoints,
    ...(mobile === undefined ? {} : { userAgentData: { mobile } }),
  });
}

/** What the page sees of its device besides its name; the server compares both. */
export function seenDevice() {
  try {
    return {
      coarsePointer: matchMedia('(any-pointer: coarse)').matches,
      platform: navigator.platform.slice(0, 50),
      touchPoints: Math.min(1_000, navigator.maxTouchPoints),
    };
  } catch {
    // A browser that does not tell keeps no one from starting.
    return undefined;
  }
}
