import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { minutesText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { attemptMonitor, endTrial } from '../../proctoring/attempt-monitor.ts';
import { type DeviceKind, thisDevice } from '../../proctoring/device/device-kind.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import { isVirtualCamera } from '../../proctoring/device/virtual-camera.ts';
import { canFullscreen, leaveFullscreen, secondScreen } from '../../proctoring/sensors/screen.ts';
import { useEngines, useMonitor } from '../../proctoring/use-monitor.ts';
import { Badge, type BadgeTone } from '../../ui/badges/badge.tsx';
import type { GlyphName } from '../../ui/badges/glyphs.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import { Trans } from '../../ui/trans.tsx';
import { needsFullscreen } from '../monitoring/monitor-plan.ts';
import {
  BOLD,
  type CheckLine,
  connectionLine,
  DetectorLicences,
  FullscreenTry,
  faceLine,
  NoFullscreen,
  soundLine,
} from './check-list.tsx';
import { useConnectionCheck, useKeepsAnswers } from './connection-check.ts';
import { DeviceCards } from './device-cards.tsx';
import { type NewsCheck, useNewsCheck } from './news-check.ts';
import { useDeviceCheck } from './use-device-check.ts';

/** A line that can be checked again by itself. */
interface Line extends CheckLine {
  again?: () => void;
}

/** Nothing is asked of the devices before the reader wants it. */
const WITHOUT_DEVICES = { ...STRICT_POLICY, camera: false, microphone: false };

/** /check: anyone can try a device here before an assessment. Nothing of it is sent or kept. */
export function CheckScreen() {
  const [device] = useState(thisDevice);
  const [run, setRun] = useState(0);
  useEffect(() => {
    addEventListener('pagehide', endTrial);
    return () => {
      removeEventListener('pagehide', endTrial);
      endTrial();
      void leaveFullscreen();
    };
  }, []);
  return (
    <PublicPage
      title={t(
        /* heading of a page; also a link to it, and the label of its address */ 'check.title',
        'Check your device',
      )}
      lead={t(
        'check.lead',
        'See whether this device is ready for an assessment. No picture, sound or result leaves it, and none is kept.',
      )}
    >
      <div className="grid justify-items-start gap-3">
        <p>
          {device.mobile
            ? t(
                'check.microphoneLead',
                'If your assessment uses the microphone, check it too. Your browser asks for it. It is switched off when you leave this page.',
              )
            : t(
                'check.devicesLead',
                'If your assessment uses the camera or the microphone, check them too. Your browser asks for them. They are switched off when you leave this page.',
              )}
        </p>
        <Button
          size="candidate"
          variant={run === 0 ? 'primary' : 'secondary'}
          onClick={() => setRun(run + 1)}
        >
          {run > 0
            ? t(/* a button */ 'check.everythingAgain', 'Check everything again')
            : device.mobile
              ? t(/* a button */ 'check.microphone', 'Check the microphone')
              : t(/* a button */ 'check.devices', 'Check camera and microphone')}
        </Button>
      </div>
      <Checks key={run} device={device} withDevices={run > 0} />
    </PublicPage>
  );
}

function Checks({ device, withDevices }: { device: DeviceKind; withDevices: boolean }) {
  const check = useDeviceCheck(withDevices ? STRICT_POLICY : WITHOUT_DEVICES, withDevices);
  useEffect(() => () => attemptMonitor.stop(), []);
  const lines = [...useDeviceLines(device, check), ...useServerLines(), ...useBrowserLines(device)];
  const failed = useFailedDevices(check.devices);
  const faults = failed + lines.filter(({ glyph }) => glyph === 'ring').length;
  const isComplete = withDevices && check.granted && lines.every(({ glyph }) => glyph !== 'dashed');
  return (
    <>
      <Summary faults={faults} isComplete={isComplete} />
      <div className="-mt-6 empty:hidden">
        <DeviceCards
          devices={check.devices}
          redAbove={STRICT_POLICY.sound.redAbove}
          faceCovered={false}
          result={check.result}
          isTrial
        />
        {check.devices.length > 0 && <DetectorLicences />}
      </div>
      <ul className="rounded-lg border border-line bg-surface">
        {lines.map(({ glyph, name, text, again }, index) => (
          <li
            key={name}
            className={`flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-ink-2 [&_b]:font-medium [&_b]:text-ink ${index > 0 ? 'border-t border-line' : ''}`}
          >
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">{text}</span>
            {again !== undefined && glyph === 'ring' && (
              <Button size="dense" onClick={again}>
                {t(/* a button */ 'check.again', 'Check again')}
              </Button>
            )}
            <StateOf glyph={glyph} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Summary({ faults, isComplete }: { faults: number; isComplete: boolean }) {
  const found =
    faults > 0
      ? {
          tone: 'warn' as const,
          icon: <TriangleAlert />,
          title: t('check.faults', '{n, plural, one {# thing to mend} other {# things to mend}}', {
            n: faults,
          }),
        }
      : isComplete
        ? {
            tone: 'ok' as const,
            icon: <CircleCheck />,
            title: t('check.works', 'Everything works'),
          }
        : {
            icon: <CircleDashed />,
            title: t('check.soFar', 'Nothing to mend so far; not everything is checked yet'),
          };
  return <Notice role="status" {...found} />;
}

const STATES: Partial<Record<GlyphName, [BadgeTone, () => string]>> = {
  ticked: ['ok', () => t(/* the state of a device or connection */ 'check.state.fine', 'Fine')],
  ring: [
    'warn',
    () => t(/* the state of a device or connection: broken */ 'check.state.mend', 'To mend'),
  ],
  slashed: [
    'neutral',
    () => t(/* the state of a device or function */ 'check.state.notNeeded', 'Not needed here'),
  ],
};

function StateOf({ glyph }: { glyph: GlyphName }) {
  const [tone, word] = STATES[glyph] ?? [
    'neutral',
    () => t(/* the state of a device or connection */ 'check.state.open', 'Not known yet'),
  ];
  return (
    <Badge tone={tone} glyph={glyph}>
      {word()}
    </Badge>
  );
}

/** How many of the devices are refused or do not work; their cards say why. */
function useFailedDevices(devices: readonly Device[]): number {
  const status = { camera: useMonitor('camera'), microphone: useMonitor('microphone') };
  return devices.filter((device) => status[device].kind === 'failed').length;
}

function useDeviceLines(
  { mobile }: DeviceKind,
  { devices, result }: ReturnType<typeof useDeviceCheck>,
): Line[] {
  const engines = useEngines();
  const camera = useMonitor('camera');
  const microphone = useMonitor('microphone');
  const shown = useMonitor('face');
  const again = (device: Device) => () => void attemptMonitor.askAgain(device);
  const lines: Line[] = [];
  if (mobile) {
    const text = (
      <Trans
        id="check.camera.onComputers"
        message="<b>Camera</b> is not used on phones and tablets. If your assessment needs one, take it on a computer"
        components={BOLD}
      />
    );
    lines.push({ glyph: 'slashed', name: 'camera', text });
  }
  if (devices.includes('camera') && camera.kind === 'granted') {
    const label = camera.stream.getVideoTracks()[0]?.label ?? '';
    if (isVirtualCamera(label)) {
      const text = (
        <Trans
          id="check.camera.isProgram"
          comment="label: the name of a camera"
          message="<b>Camera</b> “{label}” is a program. Close it, and use the camera itself"
          values={{ label: <bdi>{label}</bdi> }}
          components={BOLD}
        />
      );
      lines.push({ glyph: 'ring', name: 'camera', text, again: again('camera') });
    }
    const line = faceLine(result, engines, false);
    // A camera that has just been switched on has shown nothing yet.
    const isStarting = line.glyph === 'ring' && shown === 'starting';
    lines.push({ ...line, ...(isStarting && { glyph: 'dashed' }), again: again('camera') });
  }
  if (devices.includes('microphone') && microphone.kind === 'granted')
    lines.push({ ...soundLine(result), again: again('microphone') });
  return lines;
}

/** Connection, storage for what waits for it, and what depends on the server. */
function useServerLines(): Line[] {
  const [rounds, setRounds] = useState({ connection: 0, storage: 0, news: 0 });
  const connection = useConnectionCheck(rounds.connection);
  const keeps = useKeepsAnswers(rounds.storage);
  const news = useNewsCheck(rounds.news);
  const again = (name: keyof typeof rounds) => () =>
    setRounds({ ...rounds, [name]: rounds[name] + 1 });
  return [
    { ...connectionLine(connection, keeps), again: again('connection') },
    // Nothing can be said of it without a connection.
    ...(connection.kind === 'unreachable' ? [] : [{ ...newsLine(news), again: again('news') }]),
    { ...storageLine(keeps), again: again('storage') },
    ...clockLines(news, again('news')),
  ];
}

function newsLine({ kind }: NewsCheck): Line {
  const line = (glyph: GlyphName, text: ReactNode): Line => ({ glyph, name: 'news', text });
  switch (kind) {
    case 'checking':
      return line(
        'dashed',
        <Trans
          id="check.news.checking"
          comment="messages of the administrator during an assessment"
          message="<b>Messages</b> are being tried"
          components={BOLD}
        />,
      );
    case 'good':
      return line(
        'ticked',
        <Trans
          id="check.news.good"
          comment="messages of the administrator during an assessment"
          message="<b>Messages</b> to you arrive at once"
          components={BOLD}
        />,
      );
    case 'late':
      return line(
        'ring',
        <Trans
          id="check.news.late"
          comment="messages of the administrator during an assessment"
          message="<b>Messages</b> to you are held back on their way and may come late. Switch off a VPN, or use another network"
          components={BOLD}
        />,
      );
  }
}

function storageLine(keeps: boolean | null): Line {
  const line = (glyph: GlyphName, text: ReactNode): Line => ({ glyph, name: 'storage', text });
  if (keeps === null) {
    return line(
      'dashed',
      <Trans
        id="check.storage.checking"
        comment="storage of the browser"
        message="<b>Storage</b> is being checked"
        components={BOLD}
      />,
    );
  }
  return keeps
    ? line(
        'ticked',
        <Trans
          id="check.storage.good"
          comment="storage of the browser; one: a window"
          message="<b>Storage</b> works. Take the assessment in an ordinary window: a private one forgets everything when it is closed"
          components={BOLD}
        />,
      )
    : line(
        'ring',
        <Trans
          id="check.storage.missing"
          comment="storage of the browser; one: a window"
          message="<b>Storage</b> is not available. Use an ordinary window instead of a private one, and allow this site to store data"
          components={BOLD}
        />,
      );
}

/** A clock that is off by less misleads nobody about an opening time. */
const CLOCK_OFF_MS = 120_000;

function clockLines({ clockOffMs }: NewsCheck, again: () => void): Line[] {
  const offMs = Math.abs(clockOffMs ?? 0);
  if (offMs < CLOCK_OFF_MS) return [];
  const text = (
    <Trans
      id="check.clock.off"
      comment="duration: 5 minutes"
      message="<b>Clock</b> of this device is wrong by {duration}. Let the system set it, so that you are not late"
      values={{ duration: minutesText(offMs) }}
      components={BOLD}
    />
  );
  return [{ glyph: 'ring', name: 'clock', text, again }];
}

function useBrowserLines(device: DeviceKind): Line[] {
  const hasSecondScreen = useSyncExternalStore(often, secondScreen);
  const isTranslated = useSyncExternalStore(often, isPageTranslated);
  const canAll = canUseDevices();
  const lines: Line[] = [
    {
      glyph: canAll ? 'ticked' : 'ring',
      name: 'browser',
      text: canAll ? (
        <Trans
          id="check.browser.good"
          message="<b>Browser</b> has what assessments use"
          components={BOLD}
        />
      ) : (
        <Trans
          id="check.browser.lacks"
          message="<b>Browser</b> lacks what cameras and microphones need. Update it, or open this page in Chrome, Edge, Firefox or Safari"
          components={BOLD}
        />
      ),
    },
    needsFullscreen({ fullscreen: true }, device, canFullscreen())
      ? {
          glyph: 'ticked',
          name: 'fullscreen',
          text: (
            <FullscreenTry>
              <Trans
                id="check.fullscreen.possible"
                message="<b>Fullscreen</b> is possible"
                components={BOLD}
              />
            </FullscreenTry>
          ),
        }
      : { glyph: 'slashed', name: 'fullscreen', text: <NoFullscreen /> },
  ];
  if (hasSecondScreen !== null) {
    const text = hasSecondScreen ? (
      <Trans
        id="check.screens.two"
        message="<b>Second screen</b> is connected. Disconnect it before the assessment"
        components={BOLD}
      />
    ) : (
      <Trans id="check.screens.one" message="<b>One screen</b> is connected" components={BOLD} />
    );
    lines.push({ glyph: hasSecondScreen ? 'ring' : 'ticked', name: 'screens', text });
  }
  if (isTranslated) {
    const text = (
      <Trans
        id="check.translation"
        comment="a translator of the browser, or an add-on"
        message="<b>Translation</b> changes this page. Switch it off: a translated question may be another question"
        components={BOLD}
      />
    );
    lines.push({ glyph: 'ring', name: 'translation', text });
  }
  return lines;
}

/** Browsers have no event for all of it. */
const OFTEN_MS = 2_000;

function often(onChange: () => void): () => void {
  const timer = setInterval(onChange, OFTEN_MS);
  return () => clearInterval(timer);
}

/** Translators put each text into elements of their own; no page of ours has such. */
const isPageTranslated = () => document.querySelector('main font, [_msttexthash]') !== null;

const canUseDevices = () =>
  isSecureContext &&
  'mediaDevices' in navigator &&
  'WebAssembly' in globalThis &&
  'AudioWorkletNode' in globalThis;
