import { SCREEN_LIMITS } from '@invigil/core/domain/limits';

/** Input of the camera and fullscreen rules (product 7). Layout depends on width, not on this. */
export interface DeviceKind {
  /** Phone or tablet: no camera card, no overlay. */
  mobile: boolean;
  /** iPhone, iPad and iPod: the specification's delays, slower sound sampling, different audio constraints. */
  ios: boolean;
  /** iPhones have no fullscreen for pages; the fullscreen rule is off there. */
  iphone: boolean;
}

/** iOS drops a navigation during the touch itself (specification 9): milliseconds to wait before it. */
export function startDelayMs({ ios }: Pick<DeviceKind, 'ios'>): number {
  return ios ? SCREEN_LIMITS.iosStartDelayMs : 0;
}

/** The parts of `navigator` that identify the kind of device. */
export interface NavigatorHints {
  userAgent: string;
  maxTouchPoints: number;
  userAgentData?: { mobile: boolean };
}

/**
 * `userAgentData.mobile` where the browser has it, else Android, iPhone and iPad by name. iPadOS
 * has the user agent of a Macintosh; no Mac has a touch screen.
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

/** Device properties besides the user agent; the server compares both. */
export function seenDevice() {
  try {
    return {
      coarsePointer: matchMedia('(any-pointer: coarse)').matches,
      platform: navigator.platform.slice(0, 50),
      touchPoints: Math.min(1_000, navigator.maxTouchPoints),
    };
  } catch {
    // A browser without these properties must not block the start.
    return undefined;
  }
}
