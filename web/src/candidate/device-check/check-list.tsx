import { figureText, percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';
import { formatTime } from '../../lib/format.ts';
import type { DeviceKind } from '../../proctoring/device/device-kind.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import type { TrialResult } from '../../proctoring/device-trial.ts';
import { detectorFiles } from '../../proctoring/engines/detector-files.ts';
import type { EnginesSnapshot } from '../../proctoring/loaded-engines.ts';
import { enterFullscreen, leaveFullscreen } from '../../proctoring/sensors/screen.ts';
import { useEngines, useFullscreen } from '../../proctoring/use-monitor.ts';
import { Glyph, type GlyphName } from '../../ui/badges/glyphs.tsx';
import { Button } from '../../ui/button.tsx';
import { Trans } from '../../ui/trans.tsx';
import type { Connection } from './connection-check.ts';

const CONNECTION_GLYPHS: Record<Connection['kind'], GlyphName> = {
  checking: 'dashed',
  good: 'ticked',
  slow: 'ring',
  unreachable: 'ring',
};

/** A finding about one thing. A ring is to mend, or not available. */
export interface CheckLine {
  glyph: GlyphName;
  name: string;
  text: ReactNode;
}

export const BOLD = { b: <b /> };

function consentLine(consentAt: Date | null): CheckLine {
  return consentAt === null
    ? {
        glyph: 'dashed',
        name: 'consent',
        text: (
          <Trans
            id="deviceCheck.consent.missing"
            message="<b>Consent</b> not given yet"
            components={BOLD}
          />
        ),
      }
    : {
        glyph: 'ticked',
        name: 'consent',
        text: (
          <Trans
            id="deviceCheck.consent.given"
            comment="time: a time of day"
            message="<b>Consent given</b> at {time}"
            values={{ time: formatTime(consentAt) }}
            components={BOLD}
          />
        ),
      };
}

export const connectionLine = (connection: Connection, keeps: boolean | null): CheckLine => ({
  glyph: CONNECTION_GLYPHS[connection.kind],
  name: 'connection',
  text: connectionText(connection, keeps),
});

function connectionText(connection: Connection, keeps: boolean | null): ReactNode {
  switch (connection.kind) {
    case 'checking':
      return (
        <Trans
          id="deviceCheck.connection.checking"
          message="<b>Connection</b> is being checked"
          components={BOLD}
        />
      );
    case 'good':
      return keeps === false ? (
        <Trans
          id="deviceCheck.connection.goodNotKept"
          comment="it: the connection"
          message="<b>Connection</b> good. This browser keeps nothing on this device: do not close or reload the page while it is interrupted"
          components={BOLD}
        />
      ) : (
        <Trans
          id="deviceCheck.connection.good"
          comment="it: the connection"
          message="<b>Connection</b> good; answers are kept on this device if it drops"
          components={BOLD}
        />
      );
    case 'slow': {
      const seconds = figureText(connection.roundTripMs / 1_000, 1);
      return keeps === false ? (
        <Trans
          id="deviceCheck.connection.slowNotKept"
          comment="it: the connection"
          message="<b>Connection</b> slow ({seconds} s). This browser keeps nothing on this device: do not close or reload the page while it is interrupted"
          values={{ seconds }}
          components={BOLD}
        />
      ) : (
        <Trans
          id="deviceCheck.connection.slow"
          comment="seconds: the time of a request to the server. they: the answers"
          message="<b>Connection</b> slow ({seconds} s); answers are kept on this device until they are saved"
          values={{ seconds }}
          components={BOLD}
        />
      );
    }
    case 'unreachable':
      return (
        <Trans
          id="deviceCheck.connection.unreachable"
          message="<b>Connection</b> not available; we keep trying to reach the server"
          components={BOLD}
        />
      );
  }
}

export function faceLine(
  result: TrialResult | null,
  engines: EnginesSnapshot,
  faceCovered: boolean,
): CheckLine {
  const line = (glyph: GlyphName, text: ReactNode): CheckLine => ({ glyph, name: 'face', text });
  if (result?.severalPeople) {
    return line(
      'ring',
      <Trans
        id="deviceCheck.face.severalPeople"
        message="<b>Face</b> more than one person is in view; make sure you are alone in front of the camera"
        components={BOLD}
      />,
    );
  }
  const unclear = result?.cannotTell ?? null;
  if (unclear === 'falsified' || unclear === 'dark' || unclear === 'covered') {
    return line('ring', <Unclear why={unclear} />);
  }
  if (result?.faceFound)
    return line(
      'ticked',
      <Trans id="deviceCheck.face.found" message="<b>Face</b> found" components={BOLD} />,
    );
  if (faceCovered) {
    return line(
      'ticked',
      <Trans
        id="deviceCheck.face.mayBeCovered"
        message="<b>Face</b> may be partly covered; it does not have to be detected"
        components={BOLD}
      />,
    );
  }
  if (unclear === 'blurred' || unclear === 'unsure') return line('ring', <Unclear why={unclear} />);
  if (!engines.ready) return line('dashed', <DetectionLoading share={engines.share} />);
  return line(
    'ring',
    <Trans
      id="deviceCheck.face.notFound"
      message="<b>Face</b> not found yet; sit in front of the camera, with light on your face"
      components={BOLD}
    />,
  );
}

/** Says why a face cannot be told, and what helps. */
function Unclear({ why }: { why: 'falsified' | 'dark' | 'covered' | 'blurred' | 'unsure' }) {
  switch (why) {
    case 'falsified':
      return (
        <Trans
          id="deviceCheck.face.falsified"
          message="<b>Face</b> cannot be checked: this browser, or an add-on in it, changes what it shows us. You can go on: nothing that we cannot see or hear is counted"
          components={BOLD}
        />
      );
    case 'dark':
      return (
        <Trans
          id="deviceCheck.face.dark"
          message="<b>Face</b> cannot be checked: it is too dark. Turn on a light in front of you"
          components={BOLD}
        />
      );
    case 'covered':
      return (
        <Trans
          id="deviceCheck.face.covered"
          message="<b>Face</b> cannot be checked: the camera is covered. Open its cover"
          components={BOLD}
        />
      );
    case 'blurred':
      return (
        <Trans
          id="deviceCheck.face.blurred"
          message="<b>Face</b> cannot be checked: the picture is out of focus. Clean the lens"
          components={BOLD}
        />
      );
    case 'unsure':
      return (
        <Trans
          id="deviceCheck.face.unsure"
          message="<b>Face</b> cannot be checked: sit so that your whole face is in the picture"
          components={BOLD}
        />
      );
  }
}

function DetectionLoading({ share }: { share: number | null }) {
  if (share === null) {
    return (
      <Trans
        id="deviceCheck.face.loading"
        comment="“Face detection”: the software"
        message="<b>Face</b> detection is loading"
        components={BOLD}
      />
    );
  }
  return share === 1 ? (
    <Trans
      id="deviceCheck.face.starting"
      comment="“Face detection”: the software"
      message="<b>Face</b> detection is starting"
      components={BOLD}
    />
  ) : (
    <Trans
      id="deviceCheck.face.loadingShare"
      comment="“Face detection”: the software. percent: the share that has arrived"
      message="<b>Face</b> detection is loading ({percent})"
      values={{ percent: percentText(Math.round(share * 100)) }}
      components={BOLD}
    />
  );
}

export function soundLine(result: TrialResult | null): CheckLine {
  const line = (glyph: GlyphName, text: ReactNode): CheckLine => ({ glyph, name: 'sound', text });
  if (result?.spoken === true) {
    return line(
      'ticked',
      <Trans
        id="deviceCheck.sound.spoken"
        message="<b>Microphone</b> heard you speak"
        components={BOLD}
      />,
    );
  }
  if (result?.noSound) return line('ring', <NoSound why={result.noSound} />);
  return line(
    'dashed',
    <Trans
      id="deviceCheck.sound.measuring"
      message="<b>Microphone</b> is measuring background noise; say a few words to test it"
      components={BOLD}
    />,
  );
}

/** Says why nothing can be heard. */
function NoSound({ why }: { why: NonNullable<TrialResult['noSound']> }) {
  switch (why) {
    case 'no-clock':
      return (
        <Trans
          id="deviceCheck.sound.noClock"
          message="<b>Microphone</b> cannot be measured: this browser finds no sound output. Connect headphones or speakers, or go on: what we cannot hear is not counted"
          components={BOLD}
        />
      );
    case 'falsified':
    case 'constant':
      return (
        <Trans
          id="deviceCheck.sound.falsified"
          message="<b>Microphone</b> cannot be checked: this browser, or an add-on in it, changes what it shows us. You can go on: nothing that we cannot see or hear is counted"
          components={BOLD}
        />
      );
    case 'silent':
      return (
        <Trans
          id="deviceCheck.sound.silent"
          message="<b>Microphone</b> delivers only silence. Check that it is switched on and not muted"
          components={BOLD}
        />
      );
  }
}

/** Lets the candidate try fullscreen before the start; Escape leaves it. */
export function FullscreenTry({ children }: { children: ReactNode }) {
  const full = useFullscreen(true);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>{children}</span>
      <Button size="dense" onClick={() => void (full ? leaveFullscreen() : enterFullscreen())}>
        {full
          ? t(/* a button */ 'deviceCheck.fullscreen.leave', 'Leave fullscreen')
          : t(/* a button */ 'deviceCheck.fullscreen.try', 'Try fullscreen')}
      </Button>
    </span>
  );
}

export const NoFullscreen = () => (
  <Trans
    id="deviceCheck.fullscreen.notAvailable"
    message="<b>Fullscreen</b> is not available on this device; the rule does not apply here"
    components={BOLD}
  />
);

export function CheckList({
  consentAt,
  connection,
  keepsAnswers,
  fullscreen,
  policy,
  device,
  devices,
  result,
}: {
  consentAt: Date | null;
  connection: Connection;
  /** Whether this browser keeps unsent answers; `null` before it is known. */
  keepsAnswers: boolean | null;
  /** the fullscreen rule applies here */
  fullscreen: boolean;
  policy: { fullscreen: boolean; camera: boolean; faceCovered?: true | undefined };
  device: DeviceKind;
  /** The working devices, whose data is being checked. */
  devices: readonly Device[];
  result: TrialResult | null;
}) {
  const engines = useEngines();
  const lines: CheckLine[] = [consentLine(consentAt), connectionLine(connection, keepsAnswers)];
  if (devices.includes('camera'))
    lines.push(faceLine(result, engines, policy.faceCovered === true));
  if (devices.includes('microphone')) lines.push(soundLine(result));
  if (fullscreen) {
    const text = (
      <FullscreenTry>
        <Trans
          id="deviceCheck.fullscreen.opens"
          comment="it opens by itself"
          message="<b>Fullscreen</b> opens when you start"
          components={BOLD}
        />
      </FullscreenTry>
    );
    lines.push({ glyph: 'ticked', name: 'fullscreen', text });
  } else if (policy.fullscreen) {
    lines.push({ glyph: 'ring', name: 'fullscreen', text: <NoFullscreen /> });
  }
  if (policy.camera && device.mobile) {
    const text = (
      <Trans
        id="deviceCheck.camera.notUsed"
        message="<b>Camera</b> is not used on this device"
        components={BOLD}
      />
    );
    lines.push({ glyph: 'ring', name: 'camera', text });
  }
  return (
    <ul className="mt-5 rounded-lg border border-line bg-surface">
      {lines.map(({ glyph, name, text }, index) => (
        <li
          key={name}
          className={`flex items-center gap-3 px-4 py-3 text-ink-2 [&_b]:font-medium [&_b]:text-ink ${index > 0 ? 'border-t border-line' : ''}`}
        >
          <Glyph
            name={glyph}
            className={`size-4 ${glyph === 'ticked' ? 'text-ok' : 'text-ink-3'}`}
          />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** States that the detectors run on this device, with a link to their packages, versions and licenses. */
export function DetectorLicences() {
  return (
    <p className="mt-3 text-sm text-ink-3">
      {t('deviceCheck.runsHere', 'The checks run on this device.')}{' '}
      <a
        href={detectorFiles.thirdParty}
        target="_blank"
        rel="noopener"
        className="text-accent-ink underline underline-offset-4"
      >
        {t(/* a link */ 'deviceCheck.aboutSoftware', 'About the detection software')}
      </a>
    </p>
  );
}
