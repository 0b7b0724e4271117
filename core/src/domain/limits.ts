/**
 * Every number of section 9 of the specification and of the product decisions, with its unit in the name. Rules
 * take their numbers from here; no other file repeats them.
 */
import { t } from '../texts/i18n.ts';

/** 'At most 500 characters', of a text that someone types. */
export const atMostCharactersText = (max: number): string =>
  t(
    'amount.maxCharacters',
    '{max, plural, one {At most # character} other {At most # characters}}',
    { max },
  );

/** Assessment settings (specification 5 and 9). */
export const QUIZ_LIMITS = {
  /** Rules for groups with other times. */
  timeRulesMax: 100,
  /** Attempts of each person by the rule for retakes, and the wait between an end and the next start. */
  attemptsMax: 10,
  retakeWaitMaxMinutes: 525_600,
  /** Hours before the opening or the end at which a reminder can be sent. */
  reminderMaxHours: 720,
  durationMinMinutes: 1,
  durationMaxMinutes: 180,
  durationDefaultMinutes: 25,
  /** How long after a common start those who are late can start. */
  lateMinMinutes: 1,
  lateMaxMinutes: 180,
  lateDefaultMinutes: 15,
  totalQuestionsMin: 5,
  totalQuestionsMax: 100,
  titleMaxCharacters: 200,
  descriptionMaxCharacters: 4_000,
} as const;

/** Questions and their CSV form (specification 5, product 8). */
export const QUESTION_LIMITS = {
  optionsMin: 2,
  optionsMax: 4,
  textMaxCharacters: 4_000,
  csvMaxBytes: 1_048_576,
  csvMaxRows: 1_000,
  csvMinFields: 3,
  /** Questions that are more than plain texts with one right option: */
  richOptionsMax: 26,
  richTextMaxCharacters: 32_000,
  /** All options of a multiple response, so that an answer with all of them fits in a save. */
  responseMaxCharacters: 8_000,
  pointsMin: 0.25,
  pointsMax: 100,
  /** Accepted numbers, texts or units of one question. */
  acceptedMax: 100,
  shortTextMaxCharacters: 500,
  /** A question's tags, and the length of each. */
  tagsMax: 50,
  tagMaxCharacters: 100,
} as const;

/** Most minutes that one action gives. */
export const EXTRA_MINUTES_MAX = 180;

/** The clock of an attempt stands still. */
export const PAUSE_LIMITS = {
  /** A pause that nobody ends: no attempt stays open for good. */
  longestMs: 12 * 3_600_000,
  /** Most minutes of a pause that ends by itself. */
  minutesMax: 480,
} as const;

/** Breaks as an accommodation. */
export const BREAK_LIMITS = { countMax: 20, minutesMax: 240 } as const;

/** The attempt (product 4). */
export const ATTEMPT_LIMITS = {
  /** A save or submit already on its way when the time is up is still accepted. */
  graceMs: 10_000,
  /** The server closes an attempt at most this long after `closeAt`. */
  closingLagMs: 15_000,
  /** Time from the violation that reaches a limit to the end, unless the policy says otherwise. */
  dismissDelayMs: 1_000,
  /** Time for the browser to send unsent answers after an administrator's "end now". */
  endNowDelayMs: 10_000,
  /** Time for browsers to send unsent answers after an outage that covered a deadline. */
  outageReprieveMs: 60_000,
  /** Most questions of a paper whose time in view is reported: a heartbeat is small. */
  focusedQuestionsMax: 500,
  heartbeatEveryMs: 10_000,
  /** Two and a half heartbeats missed: a connection gap, never counted. */
  connectionGapMs: 25_000,
  /** Saves arrive but no report of the page's monitor for this long: flagged for review. */
  monitorSilentMs: 25_000,
  /** After a connection gap a page sends its answers first; its monitor gets this long to report. */
  monitorReturnMs: 10_000,
  /** The page's monitor reports but has checked no picture for this long: flagged for review. */
  monitorBlindMs: 90_000,
  /** Feedback is accepted this long after the end. */
  feedbackWindowMs: 600_000,
  /** Shown on the dismissed screen when the server cannot be reached; never stored. */
  implausibleTimeSpentSeconds: 120,
  plausibleTimeSpentMaxSeconds: 7_200,
  /** Returns and sign-ins of one attempt recorded as events; more add no information. */
  returnsRecordedMax: 500,
  /** Device changes recorded per attempt: a phone on a train changes its network all the time. */
  deviceChangesRecordedMax: 50,
  /** Times that one attempt's hand going up or down is recorded as an event; it still goes up after that. */
  handChangesRecordedMax: 100,
  /** Ended sessions stored per invitation, so that an older page can show why it ended. */
  endedSessionsKept: 20,
} as const;

/** The service clock (product 4.1). */
export const CLOCK_LIMITS = {
  /** Largest difference of database and carried time; beyond it the carried time wins, with an alarm. */
  toleranceMs: 5_000,
  livenessEveryMs: 5_000,
  /** How often it is checked whether `livenessEveryMs` has passed. */
  livenessCheckMs: 1_000,
  /** A reading with a longer round trip is too imprecise. */
  readingMaxMs: 1_000,
} as const;

/** One-time passwords and the captcha (specification 5, product 5). */
export const CODE_LIMITS = {
  captchaCharacters: 5,
  oneTimeCodeCharacters: 15,
  oneTimeCodeGroup: 5,
  /** Lifetime of an unused code, where the assessment has no end date. */
  oneTimeCodeValidDays: 90,
  /** Administrators are warned this long before a code that is still needed ends. */
  oneTimeCodeWarnDays: 7,
  /** Share of the time in which it can start, before which nobody is warned. */
  oneTimeCodeWarnFrom: 0.75,
} as const;

/** Sessions and wrong passwords (product 5). */
export const SESSION_LIMITS = {
  candidateBeforeStartMs: 12 * 3_600_000,
  candidateAfterDeadlineMs: 15 * 60_000,
  candidateAfterEndMs: 15 * 60_000,
  /** The session of a candidate who signs in to read a released result. */
  candidateResultMs: 2 * 3_600_000,
  /** Lifetime of the cookie from a start or resume on: beyond any deadline with extra time. The server ends the session. */
  candidateCookieMs: 7 * 86_400_000,
  adminIdleMs: 30 * 60_000,
  adminTotalMs: 12 * 3_600_000,
  adminPasswordMinCharacters: 12,
  adminPasswordMaxCharacters: 200,
  throttleMaxSeconds: 30,
  /** Sensitive actions need a password confirmed within this time. */
  passwordFreshMs: 15 * 60_000,
  /**
   * Evaluated wrong passwords from unknown devices, over all addresses: `burst` at once, then one per
   * `everyMs`; at most 10 in any minute per account.
   */
  guessesPerAccount: { burst: 5, everyMs: 12_000 },
  /** The same per IPv4 address or IPv6 /48, over all accounts: at most 300, for a large site's typos. */
  guessesPerNetwork: { burst: 150, everyMs: 400 },
  /** Reset links per account: at most 3 in any hour. */
  resetsPerAccount: { burst: 2, everyMs: 60 * 60_000 },
  resetLinkMs: 30 * 60_000,
  /** The link in the email to a new colleague, who sets a password with it. */
  setUpLinkMs: 7 * 86_400_000,
  /** How long a browser that an administrator signed in with stays known. */
  knownDeviceMs: 180 * 86_400_000,
} as const;

/** Two-step sign-in: RFC 6238 with values that every authenticator app supports. */
export const TOTP_LIMITS = {
  digits: 6,
  periodSeconds: 30,
  /** Codes of this many periods before and after are accepted: clocks differ (RFC 6238, 5.2). */
  windowPeriods: 1,
  /** 160 bits: RFC 4226, 4. */
  secretBytes: 20,
  recoveryCodes: 10,
  /** Time from a correct password to its code. */
  pendingSignInMs: 5 * 60_000,
  /**
   * Longer than for passwords, and per account: six digits are few, and anyone who gets here has the
   * password. Recovery codes are not throttled.
   */
  throttleMaxSeconds: 15 * 60,
} as const;

/** Details of people besides their address. */
export const PEOPLE_LIMITS = {
  textMaxCharacters: 200,
  groupsMax: 50,
  noteMaxCharacters: 4_000,
  rowsPerImport: 10_000,
  fieldsMax: 20,
  choicesMax: 100,
  /** Room for `rowsPerImport` rows with names, numbers and groups. */
  importBytes: 8_388_608,
  extraTimeMaxPercent: 900,
} as const;

/** Invitations and their mail (product 8). */
export const MAIL_LIMITS = {
  addressesPerCall: 1_000,
  /** Addresses for which a call returns whether they were invited before; in 1 MiB with 100 bytes each. */
  addressesFound: 10_000,
  /** Local part 64, domain 255, path 254: RFC 5321 section 4.5.3.1 and its erratum 1690. */
  addressMaxCharacters: 254,
  parallelDeliveries: 5,
  retryFirstMs: 5_000,
  retryLongestMs: 15 * 60_000,
  giveUpAfterMs: 24 * 3_600_000,
  /** Pauses of the whole queue after a rate limit, and after any other fault of the account. */
  limitPauseFirstMs: 5_000,
  faultPauseFirstMs: 60_000,
  pauseLongestMs: 3_600_000,
  /** A learned limit is tried half as high again after this long without a refusal. */
  raiseLimitAfterMs: 120_000,
  smtpDefaultPort: 587,
} as const;

/** Sizes of requests (product 8, 11) and of lists (product 3). */
export const REQUEST_LIMITS = {
  timeoutMs: 15_000,
  /** Timeout of an administrator's uploads: 24 MiB of questions over one megabit per second. */
  uploadTimeoutMs: 240_000,
  /** Bytes of a refused request's body that are read and discarded before its connection is cut … */
  discardMaxBytes: 1_048_576,
  /** … and those of an administrator's, whose files are larger. */
  adminDiscardMaxBytes: 33_554_432,
  /** How often requests are checked for those timeouts. */
  slowCheckMs: 3_000,
  /** The default body limit of an endpoint. */
  bodyBytes: 65_536,
  /** Sign-in and heartbeat: a few short fields. */
  smallBodyBytes: 4_096,
  /** A question with its options, each of 4,000 characters of up to six bytes in JSON. */
  questionBytes: 262_144,
  /** A thousand ids or email addresses. */
  listBodyBytes: 1_048_576,
  /** Size of one answer: the texts of a multiple response, with every character escaped in its JSON. */
  answerMaxCharacters: 16_500,
  saveAnswersBytes: 65_536,
  /** The browser's own limit, so that a full request fits the server's. */
  saveAnswersClientBytes: 49_152,
  submitBytes: 2_097_152,
  questionsCsvBytes: 4_194_304,
  listRowsMax: 1_000,
} as const;

/**
 * How many requests are admitted, in each serving process (product 11). Tokens refill evenly up to the
 * burst; a request takes as many as its endpoint costs and one more for each 4 KiB of its body.
 */
export const BUDGET_LIMITS = {
  /** The budget of a signed-in person, over all sessions. A page at its busiest needs 20 a second. */
  session: { perSecond: 200, burst: 1_000, inFlight: 64 },
  /**
   * The budget of an IPv4 address or IPv6 /48 for everyone else: enough for 10,000 candidates behind one
   * address who open the sign-in page and sign in, two requests each, at the same moment.
   */
  network: { perSecond: 1_000, burst: 20_000 },
  bytesPerToken: 4_096,
  /** Requests without a session started per turn of the event loop, between all others. */
  strangersPerTurn: 4,
  /** How many of those may be queued or in progress. */
  strangersInFlight: 4_000,
  /** A connection whose request exceeded its budget is not read from for this long … */
  pauseMs: 1_000,
  /** … and up to this many times longer … */
  pauseSpread: 4,
  /** … all of it this many times longer where the answer announced the end of the connection. */
  pauseLargeFactor: 10,
  /** It does so where that request has a larger body, which would have to be read first. */
  unreadMaxBytes: 65_536,
  /** More refusals within a minute do not come from a real page: the attempt gets no extra time. */
  floodRefusals: 100,
} as const;

/** Work that is done one at a time beside the candidates' (server/src/runtime/work-queue.ts), per process. */
export const WORK_LIMITS = {
  /** `waiting`: queued jobs; `perCaller`: one caller's, queued or running. An image has up to 10 MiB. */
  images: { waiting: 24, perCaller: 8 },
  files: { waiting: 8, perCaller: 2 },
  statistics: { waiting: 16, perCaller: 3 },
  /** Here a caller is a network: a class prints its certificates together. Each takes up to a second. */
  prints: { waiting: 100, perCaller: 40 },
  /** A few milliseconds each. */
  checks: { atOnce: 4, waiting: 400, perCaller: 100 },
  /** A place whose sender has left rests this many times as long as it was taken, but no longer than … */
  restFactor: 3,
  restMaxMs: 2_000,
  /** A proxy waits no longer than a minute for an answer. */
  waitMaxMs: 30_000,
  againAfterSeconds: 2,
} as const;

/** How long monitoring data is kept after the end of an attempt (product 9). */
export const RETENTION_LIMITS = { minDays: 1, maxDays: 3_650, defaultDays: 90 } as const;

/** Reports of violations (product 6). */
export const VIOLATION_LIMITS = {
  notesMaxCharacters: 2_000,
  /** A day: longer than any attempt and its extensions last. */
  ageMaxMs: 86_400_000,
  /**
   * The limit per attempt and group of reports (violation-types.ts); a page that reports more is broken or
   * forged, and the rest adds no information.
   */
  perAttempt: 2_000,
  /** The limit per minute, attempt and group; fits a queue that is sent after a long connection gap. */
  perMinute: 300,
  engineMaxCharacters: 60,
  candidateNoteMaxCharacters: 1_000,
  /** A candidate's note is accepted this long after the end. */
  candidateNoteWindowMs: 600_000,
} as const;

/** Stills and level curves (product 9). A still has about 10 KB, one of pure noise 30. */
export const EVIDENCE_LIMITS = {
  stillWidthPx: 320,
  stillHeightPx: 240,
  stillMaxBytes: 38_000,
  stillsPerUpload: 20,
  /** Ten before the moment and ten after it, which may arrive separately. */
  stillsPerViolation: 20,
  uploadsPerViolation: 2,
  /** Twenty stills of the largest size in base64, as JSON. */
  uploadBytes: 1_048_576,
  thumbnailMaxBytes: 24_000,
  thumbnailBodyBytes: 40_960,
  /** How far a still or a level may be from its moment. */
  offsetMaxMs: 60_000,
  levelsMax: 400,
  /** A day, as for violations. */
  ageMaxMs: 86_400_000,
  uploadsPerMinute: 20,
  bytesPerAttempt: 100_000_000,
  /** The last ten stills arrive after a dismissal has taken effect. */
  afterEndMs: 120_000,
  /** Stills and curves opened by one view; more need another view. */
  readBytes: 3_000_000,
  periodicStillMinMs: 30_000,
  periodicStillMaxMs: 3_600_000,
} as const;

/** The live board. */
export const LIVE_LIMITS = {
  frameEveryMs: 1_000,
  /** Attempts that ended within this time are listed. */
  endedMs: 1_800_000,
  /** The limit per assessment. */
  endedMax: 40,
  /** Ends within this time are counted. */
  endsCountedMs: 86_400_000,
  actionMax: 1_000,
  /** A violation or flag asks for attention this long. */
  attentionMs: 120_000,
} as const;

/** A common start. */
export const HALL_LIMITS = {
  /** How often a page that waits says so; spread, so that many do not come at once. */
  reportEveryMs: 20_000,
  /** A page that was not heard of for this long no longer waits. */
  waitsForMs: 70_000,
  /** Pages spread their start over this time, so that ten thousand do not come in one moment. */
  spreadMs: 2_000,
  /** Assessments are shown to invigilators this long before they open. */
  shownBeforeMs: 3_600_000,
  /** People of an assessment that are named, those who are not ready first. */
  namedMax: 200,
} as const;

/** Texts of administrators about an attempt: the note, and the reasons of a verdict. */
export const RECORD_LIMITS = { noteMaxCharacters: 4_000, releasesMax: 1_000 } as const;

/** The event stream by which a visitor's page tries its connection. */
export const CONNECTION_CHECK = { events: 4, everyMs: 500 } as const;

/** Screens (specification 9). */
export const SCREEN_LIMITS = {
  pageSizes: [5, 10, 25, 50, 100],
  pageSizeDefault: 10,
  autoLogoutSeconds: 5,
  /** Share of the time left at which the timer turns yellow, then red. */
  timerYellowShare: 0.25,
  timerRedShare: 0.1,
  spokenMinutesLeft: [10, 5, 1],
  spokenSecondsLeft: [30, 10],
  /** A last page that was touched waits this long before it counts on. */
  touchedPauseMs: 15_000,
  timestampCheckMs: 30_000,
  warningPopupMs: 3_000,
  streamCheckMs: 2_000,
  fullscreenPollMs: 25,
  cameraWidthPx: 640,
  cameraHeightPx: 480,
  iosStartDelayMs: 100,
  /** A second tap on the same place within this time is ignored on iOS. */
  doubleTapMs: 300,
  monitorStartMs: 2_000,
  monitorStartIosMs: 5_000,
  monitorReviewStartMs: 1_000,
  monitorReviewStartIosMs: 3_000,
} as const;

/** Shown in System Information (specification 2). */
export const PLATFORM_VERSION = '1.0.0';
