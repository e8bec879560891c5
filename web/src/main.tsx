import { render } from 'preact';
import './style/theme.css';
import './style/base.css';
import './style/controls.css';
import './style/shell.css';
import './style/content.css';
import { enter } from './api/session.ts';
import { App } from './shell/app.tsx';
import { followTheme } from './shell/theme.ts';

followTheme();
await enter();
const page = document.getElementById('page');
if (page) render(<App />, page);
