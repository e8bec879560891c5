import { render } from 'preact';
import './style/theme.css';
import './style/base.css';
import './style/controls.css';
import './style/shell.css';
import './style/content.css';
import { enter } from './api/session.ts';
import { App, loadView } from './shell/app.tsx';
import { goTo, route } from './shell/route.ts';
import { followTheme } from './shell/theme.ts';

followTheme();
const entered = enter((address) => goTo(address, { replace: true }));
// Meanwhile: a link names a view, which is loaded only when it is wanted.
loadView(route.value.view);
await entered;
const page = document.getElementById('page');
if (page) render(<App />, page);
