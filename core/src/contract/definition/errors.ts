import { t } from '../../texts/i18n.ts';

/**
 * The only table of errors: stable code, HTTP status, sentence for the user. Routes name codes; nothing
 * else in the system writes an error status or sentence.
 */
export const ERRORS = {
  INVALID_INPUT: [400, () => t('error.invalidInput', 'Some values are not valid')],
  NO_EMAILS: [400, () => t('error.noEmails', 'Please enter at least one email address')],
  NO_VALID_QUESTIONS: [
    400,
    () => t('error.noValidQuestions', 'No valid questions found in the CSV file'),
  ],
  INVALID_QUESTIONS: [
    400,
    () => t('error.invalidQuestions', 'Some rows are not valid questions. Nothing was imported'),
  ],
  LOOKS_LIKE_CODE: [
    400,
    () => t('error.looksLikeCode', 'This looks like a one-time password. Use a different one.'),
  ],
  GUESSABLE_PASSWORD: [
    400,
    () =>
      t(
        'error.guessablePassword',
        'This password is easy to guess. Use another: several unrelated words work well',
      ),
  ],
  NOT_A_STILL: [400, () => t('error.notAStill', 'A still is a JPEG of at most 320 by 240 pixels')],
  NOT_AN_IMAGE: [
    400,
    () =>
      t(
        'error.notAnImage',
        'This file is damaged or not an image. Use PNG, JPEG, WebP, GIF, AVIF or SVG',
      ),
  ],
  HEIC_IMAGE: [
    400,
    () =>
      t(
        'error.heicImage',
        'This is a HEIC photo, which cannot be converted here. Save it as JPEG and upload that. On an iPhone, Settings > Camera > Formats > Most Compatible makes it take JPEG',
      ),
  ],
  IMAGE_TOO_LARGE: [
    400,
    () =>
      t(
        'error.imageTooLarge',
        'This image has too many pixels. Reduce it to at most 4,096 by 4,096 and upload it again',
      ),
  ],
  IMAGE_TOO_COMPLEX: [
    400,
    () =>
      t(
        'error.imageTooComplex',
        'This image takes too much time or memory to convert. Simplify it, or save it as PNG',
      ),
  ],
  WRONG_PASSWORD: [400, () => t('error.wrongPassword', 'The current password is incorrect')],
  WRONG_CODE: [400, () => t('error.wrongCode', 'This code is incorrect or has already been used')],
  PASSWORD_NEEDED: [
    400,
    () => t('error.passwordNeeded', 'Enter the password again: host, port or username changed'),
  ],
  FORBIDDEN_HOST: [400, () => t('error.forbiddenHost', 'This mail server address is not allowed')],
  NOT_SIGNED_IN: [401, () => t('error.notSignedIn', 'Sign in to continue')],
  INVALID_CREDENTIALS: [401, () => t('error.invalidCredentials', 'Invalid credentials')],
  CODE_WITHDRAWN: [
    401,
    () =>
      t(
        'error.codeWithdrawn',
        'This one-time password was revoked. Please ask the person who invited you, or your administrator',
      ),
  ],
  CODE_REPLACED: [
    401,
    () =>
      t(
        'error.codeReplaced',
        'A newer one-time password was sent to you: use the one in the newest email. If there is none, ask the person who invited you',
      ),
  ],
  SIGN_IN_EXPIRED: [401, () => t('error.signInExpired', 'This took too long. Sign in again')],
  RESET_LINK_EXPIRED: [
    401,
    () =>
      t(
        'error.resetLinkExpired',
        'This link has expired or has already been used. Request a new one',
      ),
  ],
  SESSION_REPLACED: [
    401,
    () => t('error.sessionReplaced', 'You signed in somewhere else. This page no longer saves'),
  ],
  FORBIDDEN: [403, () => t('error.forbidden', 'Unauthorized')],
  TOTP_NEEDED: [
    403,
    () =>
      t('error.totpNeeded', 'Set up two-step sign-in first: it is required for all administrators'),
  ],
  CONFIRM_PASSWORD: [403, () => t('error.confirmPassword', 'Confirm your password to continue')],
  FOREIGN_ORIGIN: [
    403,
    () => t('error.foreignOrigin', 'This request came from another site and was refused'),
  ],
  ALREADY_COMPLETED: [
    403,
    () => t('error.alreadyCompleted', 'You have already completed this test'),
  ],
  CODE_EXPIRED: [
    403,
    () =>
      t(
        'error.codeExpired',
        'This one-time password has expired. Ask the person who invited you to send a new one',
      ),
  ],
  QUIZ_INACTIVE: [
    403,
    () => t('error.quizInactive', 'This assessment is no longer active and cannot be accessed.'),
  ],
  NOT_RELEASED: [409, () => t('error.notReleased', 'Your result has not been released yet')],
  NOT_OPEN_YET: [403, () => t('error.notOpenYet', 'This assessment has not opened yet')],
  NOT_STARTED_YET: [
    403,
    () =>
      t(
        /* all who take the assessment start together */ 'error.notStartedYet',
        'This assessment has not been started yet. Everyone starts together',
      ),
  ],
  TOO_LATE: [
    403,
    () =>
      t(
        /* to start the assessment */ 'error.tooLate',
        'It is too late to start: the time for those who come late is over. Ask the person who invited you',
      ),
  ],
  CAMERA_REQUIRED: [
    403,
    () =>
      t(
        'error.cameraRequired',
        'This assessment needs a camera. Open it on a computer: on phones and tablets there is no camera check',
      ),
  ],
  ATTEMPT_CLOSED: [
    403,
    () => t('error.attemptClosed', 'This attempt has ended. Answers can no longer be changed'),
  ],
  NOT_IN_PROGRESS: [
    403,
    () => t('error.notInProgress', 'Questions can be read only while your attempt is in progress'),
  ],
  FOR_ASSESSMENT_ONLY: [
    403,
    () => t('error.forAssessmentOnly', 'Questions can be read only for the assessment'),
  ],
  MESSAGE_SEALED: [
    403,
    () =>
      t(
        'error.messageSealed',
        'Only the recipient can read a message once a mail server has been configured',
      ),
  ],
  SENSOR_OFF: [403, () => t('error.sensorOff', 'This sensor is switched off for this attempt')],
  NOTE_CLOSED: [
    403,
    () => t('error.noteClosed', 'Notes are accepted until ten minutes after the end'),
  ],
  FEEDBACK_CLOSED: [
    403,
    () => t('error.feedbackClosed', 'Feedback is accepted until ten minutes after the end'),
  ],
  NOT_FOUND: [404, () => t('error.notFound', 'Not found')],
  TOO_MANY_REQUESTS: [
    429,
    () => t('error.tooManyRequests', 'Too many requests. Try again in a moment'),
  ],
  TOO_MANY_VIOLATIONS: [
    429,
    () => t('error.tooManyViolations', 'Too many violations were reported for this attempt'),
  ],
  TOO_MUCH_EVIDENCE: [
    429,
    () => t('error.tooMuchEvidence', 'Too much evidence was sent for this attempt'),
  ],
  STALE: [
    409,
    () => t('error.stale', 'Someone else has changed this. Reload it to see their version'),
  ],
  CHANGED_OUTSIDE: [
    409,
    () =>
      t(
        'error.changedOutside',
        'This was changed outside of Invigil, so nothing is made from it. Ask the operator to run "npm run verify"',
      ),
  ],
  CONSENT_OUTDATED: [
    409,
    () =>
      t('error.consentOutdated', 'What is monitored has changed. Read it and agree again to start'),
  ],
  NO_QUESTIONS: [409, () => t('error.noQuestions', 'No questions found for this Assessment')],
  QUIZ_NOT_OPEN: [
    409,
    () => t('error.quizNotOpen', 'Invitations cannot be sent for inactive Assessments'),
  ],
  HAS_CANDIDATES: [
    409,
    () =>
      t(
        'error.hasCandidates',
        'People were invited to this assessment, so it cannot become a practice assessment. Duplicate it, and make the copy one',
      ),
  ],
  IS_PRACTICE: [
    409,
    () =>
      t('error.isPractice', 'No one is invited to a practice assessment. Give people its address'),
  ],
  REVISION_CONFLICT: [
    409,
    () =>
      t(
        'error.revisionConflict',
        'This answer was changed somewhere else. The stored value is shown',
      ),
  ],
  ALREADY_STARTED: [
    409,
    () =>
      t(
        'error.alreadyStarted',
        'The attempt has started. Give extra time in the record of the attempt',
      ),
  ],
  TIME_LEFT: [409, () => t('error.timeLeft', 'There is time left: you were given more time')],
  NOT_RUNNING: [409, () => t('error.notRunning', 'This attempt is not in progress')],
  NO_BREAK_LEFT: [409, () => t('error.noBreakLeft', 'You have no break left')],
  NOT_ON_PAPER: [409, () => t('error.notOnPaper', 'This question is not on the paper')],
  STILL_RUNNING: [409, () => t('error.stillRunning', 'This attempt is still in progress')],
  ALREADY_REPLACED: [
    409,
    () => t('error.alreadyReplaced', 'This attempt has already been replaced'),
  ],
  TAKEN_AGAIN: [
    409,
    () =>
      t(
        'error.takenAgain',
        'Someone has taken this assessment again, so which attempt counts stays as it is',
      ),
  ],
  STARTED_ALREADY: [
    409,
    () =>
      t(
        /* an assessment that all start together */ 'error.startedAlready',
        'They have been started already, and those who are late can still start',
      ),
  ],
  NO_COMMON_START: [
    409,
    () =>
      t(
        'error.noCommonStart',
        'This assessment is not started by an invigilator for everyone together',
      ),
  ],
  NOT_OPEN_FOR_START: [
    409,
    () =>
      t(
        /* to be started by an invigilator */ 'error.notOpenForStart',
        'This assessment is not open, so it cannot be started now',
      ),
  ],
  PERSON_ERASED: [
    409,
    () => t('error.personErased', 'This person was erased, so there can be no further attempt'),
  ],
  IMPORT_BUSY: [
    503,
    () => t('error.importBusy', 'Another question file is being read. Try again in a moment'),
  ],
  WORK_BEGUN: [
    409,
    () => t('error.workBegun', 'This has begun already, and is in the list of your work'),
  ],
  RULES_UNMET: [
    409,
    () =>
      t('error.rulesUnmet', 'An assessment draws more questions by its rules than would qualify'),
  ],
  QUESTION_IN_USE: [
    409,
    () =>
      t('error.questionInUse', 'A candidate has started. Questions can be edited but not deleted'),
  ],
  CATEGORY_IN_USE: [
    409,
    () => t('error.categoryInUse', 'This category is in use and cannot be deleted'),
  ],
  ADMIN_EXISTS: [
    409,
    () => t('error.adminExists', 'An administrator with this address already exists'),
  ],
  LAST_ADMIN: [409, () => t('error.lastAdmin', 'The last administrator cannot be deleted')],
  EMAIL_TAKEN: [409, () => t('error.emailTaken', 'Someone else has this email address')],
  EXTERNAL_ID_TAKEN: [409, () => t('error.externalIdTaken', 'Someone else has this number')],
  LAST_OWNER: [409, () => t('error.lastOwner', 'The last owner of everything keeps that role')],
  OWN_ACCOUNT: [409, () => t('error.ownAccount', 'You cannot delete your own account')],
  TOTP_ON: [409, () => t('error.totpOn', 'Two-step sign-in is already on')],
  TOTP_OFF: [409, () => t('error.totpOff', 'Two-step sign-in is not on')],
  TOTP_UNREADABLE: [
    409,
    () =>
      t(
        'error.totpUnreadable',
        'Your code cannot be checked: this installation has a different secret key than when two-step sign-in was set up. Ask the operator to run "npm run admin:reset-two-step" for your address',
      ),
  ],
  TOTP_OWN: [
    409,
    () => t('error.totpOwn', 'Turn off your own two-step sign-in with your password and a code'),
  ],
  TOTP_FIRST: [
    409,
    () =>
      t(
        'error.totpFirst',
        'Set up two-step sign-in for yourself before you require it of everyone',
      ),
  ],
  FEEDBACK_GIVEN: [409, () => t('error.feedbackGiven', 'Feedback has already been given')],
  SMTP_NOT_CONFIGURED: [
    409,
    () => t('error.smtpNotConfigured', 'No mail server is configured yet'),
  ],
  MESSAGE_GONE: [
    409,
    () =>
      t(
        'error.messageGone',
        'This message has been sent. Its one-time password is no longer stored',
      ),
  ],
  MESSAGE_NOT_WAITING: [
    409,
    () => t('error.messageNotWaiting', 'Only a waiting message can be sent now'),
  ],
  EVIDENCE_GONE: [
    409,
    () => t('error.evidenceGone', 'This evidence was deleted or can no longer be read'),
  ],
  TOO_LARGE: [413, () => t('error.tooLarge', 'The request is too large')],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    () => t('error.unsupportedMediaType', 'This content type is not supported'),
  ],
  THROTTLED: [429, () => t('error.throttled', 'Too many wrong attempts. Try again in a moment')],
  INTERNAL: [500, () => t('error.internal', 'Something went wrong on our side')],
  DISK_LOW: [
    503,
    () =>
      t(
        'error.diskLow',
        'The server is low on disk space, so no assessment can start right now. Try again in a few minutes',
      ),
  ],
  UNAVAILABLE: [
    503,
    () => t('error.unavailable', 'The service is busy right now. Try again in a moment'),
  ],
} as const satisfies Record<string, readonly [number, () => string]>;

/** Stable: programs may depend on a code, while its sentence may change. */
export type ErrorCode = keyof typeof ERRORS;

/** The sentence of an error, in the language in use. */
export const sentenceOf = (code: ErrorCode): string => ERRORS[code][1]();

/** One field or row and what is wrong with it. `path` is dotted: `answers.3.selectedOption`. */
export interface ErrorIssue {
  path: string;
  message: string;
}
